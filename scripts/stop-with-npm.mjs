/** npm and npx end on SIGTERM, and the shell that they started does not pass the signal on: without a parent, stop as on SIGTERM. */
export function stopWithNpm() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}
