/** Runs in an iframe on another site: posts its content height to the parent page, and nothing else. */
const [, secret] = /^#\?secret=(\w{1,40})$/.exec(location.hash) ?? []

function postHeight(): void {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  parent.postMessage({ type: 'kalends:height', height }, '*')
  // WordPress identifies each iframe by a secret, and expects its own message format.
  if (secret !== undefined) parent.postMessage({ message: 'height', value: height, secret }, '*')
}

if (parent !== window) {
  new ResizeObserver(postHeight).observe(document.body)
  if (secret !== undefined) openLinksInParent(secret)
}

/** WordPress sandboxes its iframes, so links have to be opened by the parent page. */
function openLinksInParent(secret: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[target=_top]')) {
    link.addEventListener('click', event => {
      event.preventDefault()
      parent.postMessage({ message: 'link', value: link.href, secret }, '*')
    })
  }
}

export {}
