/** Sends the file of a form in pieces, so that it may be larger than one request, and shows the progress. */
const pieceBytes = 4 * 1024 * 1024

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) {
  form.addEventListener('submit', event => {
    const file = form.querySelector<HTMLInputElement>('input[type="file"]')?.files?.[0]
    if (file === undefined) return
    event.preventDefault()
    void send(form, file)
  })
}

async function send(form: HTMLFormElement, file: File): Promise<void> {
  const status = form.querySelector<HTMLElement>('[data-upload-progress]')
  const button = form.querySelector('button')
  if (status === null || button === null) return
  const bar = document.createElement('progress')
  bar.max = Math.max(1, file.size)
  status.replaceChildren(`${form.dataset.uploading} `, bar)
  status.hidden = false
  button.disabled = true
  try {
    const uploadId = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0'))
    for (let offset = 0; ; offset += pieceBytes) {
      bar.value = offset
      const isLast = offset + pieceBytes >= file.size
      const body = new FormData(form)
      body.set('uploadId', uploadId.join(''))
      body.set('offset', String(offset))
      body.set('isLast', isLast ? 'yes' : '')
      body.set('file', file.slice(offset, offset + pieceBytes), file.name)
      const answer = await fetch(form.action, { method: 'POST', body })
      if (answer.status >= 500) throw new Error(String(answer.status))
      if (answer.headers.get('x-upload') !== 'continues') return show(await answer.text(), answer.url)
    }
  } catch {
    status.textContent = form.dataset.failed ?? ''
    button.disabled = false
  }
}

/** The page that follows the last piece, or says why the file was refused. */
function show(html: string, url: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html')
  document.title = page.title
  document.body.replaceWith(page.body)
  history.replaceState(undefined, '', url)
  document.querySelector<HTMLElement>('[data-focus], main')?.focus()
}

export {}
