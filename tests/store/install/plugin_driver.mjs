// Drives the plugin's hooks as OpenCode does: import it, make it, call a list of steps.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const { plugin, steps, known, isHanging } = JSON.parse(readFileSync(0, "utf8"))
const asked = []
const client = {
  session: {
    get: async ({ path: { id } }) => {
      asked.push(id)
      if (isHanging) return new Promise(() => {})
      if (!(id in known)) throw new Error("no such session")
      return { data: known[id] }
    },
  },
}
const exported = await import(pathToFileURL(plugin).href)
const context = { client, directory: "/srv/atlas", worktree: "/srv/atlas", project: { id: "p1" } }
const outputs = []
for (const make of Object.values(exported)) {
  if (typeof make !== "function") continue
  const hooks = await make(context)
  for (const [name, input, output] of steps) {
    await hooks[name](input, output)
    outputs.push(output ?? null)
  }
}
process.stdout.write(JSON.stringify({ outputs, asked }))
