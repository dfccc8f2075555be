// Runs the command line from the built files, which it builds first if the source is newer.
import { buildOrExit } from './build.mjs'

if (process.env.npm_lifecycle_event === 'start') stopWithNpm(process.ppid)
await buildOrExit()
await import('../dist/main.js')

/** npm ends on SIGTERM, and the shell it started does not pass the signal on: without a parent, stop as on SIGTERM. */
function stopWithNpm(parent) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}
