// Drives the plugin as OpenCode 2 does: given its path and the events, writes what the model was told.
import { readFileSync } from "node:fs"

const { plugin, events, calls, prompts } = JSON.parse(readFileSync(0, "utf8"))
const { default: definition } = await import(plugin)
const hooks = {}
const on = (name, hook) => {
  hooks[name] = hook
}
const context = {
  location: { directory: "/srv/atlas", project: { id: "p", directory: "/srv/atlas" } },
  session: { hook: on, get: async ({ sessionID }) => ({ id: sessionID, title: "New" }) },
  tool: { hook: on },
  event: {
    async *subscribe() {
      yield* events
      finished()
    },
  },
}
let finished
const heard = new Promise((resolve) => (finished = resolve))
const dispose = await definition.setup(context)
for (const one of prompts) await hooks.prompt(one)
const model = { sessionID: "s-1", system: [{ type: "text", text: "be good" }] }
await hooks.context(model)
for (const one of calls) await hooks["execute.after"](one)
await heard
await dispose()
process.stdout.write(JSON.stringify({ id: definition.id, system: model.system.map((part) => part.text) }))
