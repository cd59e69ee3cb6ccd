// memtui for Pi: tells `mem` what happens, and gives a session the memory it begins with.
// Written by `mem install pi`, removed by `mem uninstall pi`; changes are overwritten.
import { spawnSync } from "node:child_process"

// TELLING

export default function (pi) {
  const calls = new Map()
  let told = []
  let asked

  const send = (name, ctx, data = {}) => {
    const manager = ctx.sessionManager
    return tell({
      hook_event_name: name,
      session_id: manager.getSessionId(),
      transcript_path: manager.getSessionFile(),
      cwd: manager.getCwd?.() ?? ctx.cwd,
      ...data,
    })
  }

  const words = (content) =>
    typeof content === "string"
      ? content
      : (content ?? []).filter((one) => one?.type === "text").map((one) => one.text).join("\n")

  // An extension that throws is shown to the user: whatever goes wrong here, Pi goes on.
  const on = (name, handle) =>
    pi.on(name, async (event, ctx) => {
      try {
        return await handle(event, ctx)
      } catch {}
    })

  on("session_start", (event, ctx) => {
    // `mem add` in the agent's shell knows its session by this.
    process.env.PI_SESSION_ID = ctx.sessionManager.getSessionId()
    if (event.reason === "reload" && told.length) return
    const hasBegun = ctx.sessionManager.getEntries().some((one) => one.type === "message")
    const source = hasBegun && event.reason !== "fork" ? "resume" : event.reason
    const title = ctx.sessionManager.getSessionName?.()
    told = [send("SessionStart", ctx, { source, session_title: title })]
  })

  on("before_agent_start", (event, ctx) => {
    asked = event.prompt
    told.push(send("UserPromptSubmit", ctx, { prompt: asked }))
    told = told.filter((text) => text.trim())
    if (told.length) return { systemPrompt: [event.systemPrompt, ...told].join("\n\n") }
  })

  // What is typed while the agent works comes as a message only.
  on("message_end", ({ message }, ctx) => {
    if (message?.role !== "user") return
    const prompt = words(message.content)
    if (prompt !== asked) send("UserPromptSubmit", ctx, { prompt })
    asked = undefined
  })

  on("tool_execution_start", (event) => {
    calls.set(event.toolCallId, event.args)
  })

  on("tool_execution_end", (event, ctx) => {
    const response = { output: words(event.result?.content), details: event.result?.details }
    send(event.isError ? "PostToolUseFailure" : "PostToolUse", ctx, {
      tool_name: event.toolName,
      tool_use_id: event.toolCallId,
      tool_input: calls.get(event.toolCallId),
      ...(event.isError ? { error: response.output } : { tool_response: response }),
    })
    calls.delete(event.toolCallId)
  })

  on("agent_end", (event, ctx) => {
    const last = (event.messages ?? []).findLast((one) => one?.role === "assistant")
    send("Stop", ctx, { last_assistant_message: words(last?.content) })
  })

  on("session_compact", ({ compactionEntry }, ctx) => {
    const { id, summary } = compactionEntry
    send("PostCompact", ctx, { entry_id: id, compact_summary: summary })
  })

  on("session_shutdown", (event, ctx) => {
    if (event.reason !== "reload") send("SessionEnd", ctx, { reason: event.reason })
  })
}
