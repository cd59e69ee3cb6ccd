// memtui for OpenCode: tells `mem` what happens, and gives a session the memory it begins with.
// Written by `mem install opencode`, removed by `mem uninstall opencode`; changes are overwritten.
import { spawnSync } from "node:child_process"

// TELLING

export const Memtui = async ({ client, directory, worktree, project } = {}) => {
  const sessions = new Map()

  const sessionOf = (id) => {
    if (!sessions.has(id)) sessions.set(id, { told: false, hints: [], failures: new Set() })
    return sessions.get(id)
  }

  const send = (name, id, data = {}) => {
    if (!id) return ""
    const session = sessionOf(id)
    return tell({
      hook_event_name: name,
      session_id: id,
      cwd: session.directory ?? directory,
      worktree,
      project_id: project?.id,
      parent_id: session.parent,
      ...data,
    })
  }

  const learn = (info) => {
    const session = sessionOf(info.id)
    session.parent = info.parentID ?? session.parent
    session.directory = info.directory ?? session.directory
    session.title = info.title ?? session.title
    return session
  }

  const begin = (id, source) => {
    const session = sessionOf(id)
    if (session.told) return session
    session.told = true
    session.context = send("session.created", id, { source, title: session.title })
    return session
  }

  // `--continue` and a change of session make no session.created, so OpenCode is asked about it.
  const resume = async (id) => {
    const session = sessionOf(id)
    if (session.told) return session
    try {
      let timer
      const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)))
      const answer = await Promise.race([client.session.get({ path: { id } }), late])
      clearTimeout(timer)
      if (answer?.data?.id === id) learn(answer.data)
    } catch {}
    return begin(id, "resume")
  }

  // What the model says arrives piece by piece, and is told when it has said all.
  const message = (info) => {
    if (info?.role !== "assistant" || !info.sessionID) return
    const session = sessionOf(info.sessionID)
    if (!info.summary) session.isCompacting = false
    if (session.reply?.id !== info.id) session.reply = { id: info.id, texts: new Map() }
    session.reply.isSummary = Boolean(info.summary)
  }

  // A tool that throws has no tool.execute.after.
  const failed = ({ sessionID, callID, tool, state }) => {
    const { failures } = sessionOf(sessionID)
    if (state?.status !== "error" || failures.has(callID)) return
    failures.add(callID)
    send("tool.execute.after", sessionID, {
      tool_name: tool,
      tool_use_id: callID,
      tool_input: state.input,
      tool_response: { error: state.error },
      failed: true,
    })
  }

  const part = (piece) => {
    if (piece?.type === "tool" && piece.sessionID) return failed(piece)
    if (piece?.type !== "text" || piece.synthetic || !piece.sessionID) return
    const reply = sessionOf(piece.sessionID).reply
    if (reply?.id === piece.messageID) reply.texts.set(piece.id, piece.text ?? "")
  }

  const said = (id, isSummary) => {
    const reply = sessionOf(id).reply
    if (!reply || reply.isSummary !== isSummary) return {}
    const text = [...reply.texts.values()].join("\n").trim()
    if (!text) return {}
    const name = isSummary ? "compact_summary" : "last_assistant_message"
    return { message_id: reply.id, [name]: text }
  }

  // Versions tell the end of a turn by one event, by the other, or by both.
  const idle = (id) => {
    const session = sessionOf(id)
    const reply = said(id, false)
    if (session.answered === (reply.message_id ?? "")) return
    session.answered = reply.message_id ?? ""
    send("session.idle", id, { title: session.title, ...reply })
  }

  const end = () => {
    for (const [id, session] of sessions) {
      if (session.told && !session.parent) send("server.instance.disposed", id)
    }
    sessions.clear()
  }

  const events = {
    "session.created": ({ info }) => {
      learn(info)
      begin(info.id, "startup")
    },
    "session.updated": ({ info }) => learn(info),
    "session.idle": ({ sessionID }) => idle(sessionID),
    "session.status": ({ sessionID, status }) => status?.type === "idle" && idle(sessionID),
    "session.compacted": ({ sessionID }) => {
      sessionOf(sessionID).isCompacting = false
      send("session.compacted", sessionID, said(sessionID, true))
    },
    "session.deleted": ({ info }) => {
      send("session.deleted", info.id)
      sessions.delete(info.id)
    },
    "message.updated": ({ info }) => message(info),
    "message.part.updated": ({ part: piece }) => part(piece),
    "server.instance.disposed": end,
  }

  // A plugin that throws breaks the turn: whatever goes wrong here, OpenCode goes on.
  const safely = (hook) => async (input, output) => {
    try {
      await hook(input, output)
    } catch {}
  }

  return {
    event: safely(({ event }) => events[event.type]?.(event.properties ?? {})),
    "chat.message": safely(async (input, output) => {
      const session = await resume(input.sessionID)
      session.answered = undefined
      session.isCompacting = false
      const texts = (output.parts ?? []).filter((one) => one.type === "text" && !one.synthetic)
      const hint = send("chat.message", input.sessionID, {
        message_id: output.message?.id ?? input.messageID,
        prompt: texts.map((one) => one.text).join("\n"),
      })
      // What was told once isn't told again, so that it has to stay.
      if (hint.trim()) sessionOf(input.sessionID).hints.push(hint)
    }),
    "tool.execute.after": safely((input, output) =>
      send("tool.execute.after", input.sessionID, {
        tool_name: input.tool,
        tool_use_id: input.callID,
        tool_input: input.args,
        tool_response: { title: output.title, output: output.output, metadata: output.metadata },
      }),
    ),
    // `mem add` in the agent's shell knows its session by this.
    "shell.env": safely((input, output) => {
      if (input.sessionID) output.env.OPENCODE_SESSION_ID = input.sessionID
    }),
    "experimental.chat.system.transform": safely(async (input, output) => {
      // A summary of the conversation must not hold what memory said at its start.
      if (!input.sessionID || sessionOf(input.sessionID).isCompacting) return
      // Nor does the title of a session come of earlier ones.
      if (/^\s*You are a title generator/i.test(output.system[0] ?? "")) return
      const { context, hints } = await resume(input.sessionID)
      if (context?.trim()) output.system.push(context)
      output.system.push(...hints)
    }),
    "experimental.session.compacting": safely((input) => {
      if (input.sessionID) sessionOf(input.sessionID).isCompacting = true
    }),
    dispose: safely(end),
  }
}

// OpenCode 2 calls `setup` of the default export. What it tells is said as OpenCode 1 says it.
const NAMES = { shell: "bash", subagent: "task" }

const textOf = (result) => {
  const parts = Array.isArray(result?.content) ? result.content : []
  return typeof result?.content === "string" ? result.content : parts.map((part) => part?.text ?? "").join("\n")
}

const setup = async (ctx) => {
  const { directory, project } = ctx.location ?? {}
  const get = async ({ path }) => {
    const info = await ctx.session.get({ sessionID: path.id })
    return { data: info?.data ?? info }
  }
  const hooks = await Memtui({ client: { session: { get } }, directory, worktree: project?.directory, project })
  const happen = (type, properties) => hooks.event({ event: { type, properties } })

  const say = (sessionID, id, text, summary) => {
    happen("message.updated", { info: { role: "assistant", id, sessionID, summary } })
    happen("message.part.updated", { part: { type: "text", sessionID, messageID: id, id: text, text } })
  }
  const end = ({ sessionID }) => happen("session.idle", { sessionID })
  const translations = {
    "session.created": (data) => happen("session.created", { info: { ...data, id: data.sessionID } }),
    "session.text.ended": (data) => say(data.sessionID, data.assistantMessageID, data.text, false),
    "session.execution.succeeded": end,
    "session.execution.interrupted": end,
    "session.execution.failed": end,
    "session.compaction.ended": (data) => {
      say(data.sessionID, data.messageID, data.text ?? data.summary, true)
      happen("session.compacted", { sessionID: data.sessionID })
    },
    "session.deleted": (data) => happen("session.deleted", { info: { id: data.sessionID } }),
  }

  // A host that lacks one of these, or a hook that throws, costs no more than what that tells.
  const on = async (owner, name, hook) => {
    try {
      await owner.hook(name, async (event) => {
        try {
          return await hook(event)
        } catch {}
      })
    } catch {}
  }

  await on(ctx.session, "prompt", ({ sessionID, messageID, prompt }) =>
    hooks["chat.message"](
      { sessionID, messageID },
      { message: { id: messageID }, parts: [{ type: "text", text: prompt?.text ?? "" }] },
    ),
  )
  await on(ctx.session, "context", async (event) => {
    const output = { system: event.system.map((part) => part.text ?? "") }
    await hooks["experimental.chat.system.transform"]({ sessionID: event.sessionID }, output)
    event.system.push(...output.system.slice(event.system.length).map((text) => ({ type: "text", text })))
  })
  await on(ctx.session, "compaction", ({ sessionID }) => hooks["experimental.session.compacting"]({ sessionID }))
  await on(ctx.tool, "execute.after", ({ sessionID, id, input, status, error, result, ...called }) => {
    const tool = NAMES[called.tool] ?? called.tool
    if (status === "error") {
      const state = { status, input, error: String(error?.message ?? error) }
      return happen("message.part.updated", { part: { type: "tool", sessionID, callID: id, tool, state } })
    }
    const output = { output: textOf(result), metadata: result?.metadata ?? result?.output }
    return hooks["tool.execute.after"]({ sessionID, callID: id, tool, args: input }, output)
  })

  const stop = new AbortController()
  const listen = async () => {
    try {
      for await (const event of ctx.event.subscribe({ signal: stop.signal })) {
        const { type, data } = event ?? {}
        const elsewhere = data?.location?.directory
        if (Object.hasOwn(translations, type) && (!elsewhere || elsewhere === directory)) {
          translations[type](data ?? {})
        }
      }
    } catch {}
  }
  listen()
  return () => {
    stop.abort()
    return hooks.dispose()
  }
}

export default { id: "memtui", server: Memtui, setup }
