/** In a frame on another site: tells the page around it how high it would like to be. Nothing else leaves it. */
const [, secret] = /^#\?secret=(\w{1,40})$/.exec(location.hash) ?? []

function postHeight(): void {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  parent.postMessage({ type: 'kalends:height', height }, '*')
  // WordPress gives each frame a word to know it by, and asks for the height in its own way.
  if (secret !== undefined) parent.postMessage({ message: 'height', value: height, secret }, '*')
}

if (parent !== window) {
  new ResizeObserver(postHeight).observe(document.body)
  if (secret !== undefined) openLinksInParent(secret)
}

/** WordPress lets its frames open nothing: the page around them does it. */
function openLinksInParent(secret: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[target=_top]')) {
    link.addEventListener('click', event => {
      event.preventDefault()
      parent.postMessage({ message: 'link', value: link.href, secret }, '*')
    })
  }
}

export {}
