const COMMAND = ["COMMAND"]
const PATIENCE_MS = 1500
const MOST_TIMEOUTS = 3

let timeouts = 0

// One process an event, waited for: a child left to itself dies when the agent ends.
const tell = (event) => {
  if (timeouts >= MOST_TIMEOUTS) return ""
  const done = spawnSync(COMMAND[0], COMMAND.slice(1), {
    input: JSON.stringify(event),
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  })
  timeouts = done.error?.code === "ETIMEDOUT" ? timeouts + 1 : 0
  return done.status === 0 ? (done.stdout ?? "") : ""
}
