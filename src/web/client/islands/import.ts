/**
 * Refreshes the progress of an import, a backup or a restore: fetches the page every second, and reloads it when the
 * work has finished. A restore stops the server: requests fail, or have the progress with status 503.
 */
const place = document.querySelector<HTMLElement>('[data-live]')
/** The page that has the progress, if it is another one. */
const next = place?.dataset.next
const pollMs = 1000
/** Delay after a failed request. */
const retryMs = 5000

function schedulePoll(milliseconds: number): void {
  setTimeout(() => void poll(), milliseconds)
}

async function poll(): Promise<void> {
  // Not polled while the tab is hidden; the page catches up when it is visible again.
  if (document.hidden) {
    document.addEventListener('visibilitychange', () => schedulePoll(0), { once: true })
    return
  }
  const fresh = await fetchProgress()
  if (fresh === 'away') return schedulePoll(retryMs)
  if (fresh === undefined) return next === undefined ? location.reload() : location.assign(next)
  document.querySelector('[data-live]')?.replaceWith(fresh)
  schedulePoll(pollMs)
}

/** Fetches the current progress element; undefined if the work has finished. */
async function fetchProgress(): Promise<Element | 'away' | undefined> {
  try {
    const answer = await fetch(next ?? location.href, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return page.querySelector('[data-live]') ?? (answer.status >= 500 ? 'away' : undefined)
  } catch {
    return 'away'
  }
}

for (const link of document.querySelectorAll<HTMLElement>('[data-without-script]')) link.hidden = true
schedulePoll(pollMs)

export {}
