/** Buttons that copy the text of a field or element: `<button data-copy="#address" hidden>`. Hidden without scripts. */
const announcer = document.createElement('p')
announcer.className = 'visually-hidden'
announcer.setAttribute('role', 'status')
document.body.append(announcer)

enableCopyButtons(document)
enableShareButtons()

/** Buttons that open the sharing of the device: `<button data-share="https://…" data-title="…" hidden>`. */
function enableShareButtons(): void {
  if (typeof navigator.share !== 'function') return
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-share]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      try {
        await navigator.share({ title: button.dataset.title ?? '', url: button.dataset.share ?? '' })
      } catch (error) {
        // The visitor closed the dialog.
        if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
      }
    })
  }
}

/** Also called for content that is inserted later. */
export function enableCopyButtons(inside: ParentNode): void {
  for (const button of inside.querySelectorAll<HTMLButtonElement>('button[data-copy]')) enableCopyButton(button)
}

function enableCopyButton(button: HTMLButtonElement): void {
  const label = button.textContent ?? ''
  let back = 0
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.querySelector(button.dataset.copy ?? '')
    if (source === null) return
    if (!(await copyText(source))) return
    const done = button.dataset.copied ?? label
    button.textContent = done
    announcer.textContent = done
    clearTimeout(back)
    back = setTimeout(() => {
      button.textContent = label
      announcer.textContent = ''
    }, 2500)
  })
}

async function copyText(source: Element): Promise<boolean> {
  const isField = source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement
  const text = isField ? source.value : (source.textContent ?? '').trim()
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without HTTPS there is no clipboard API: select the text, ready for the keyboard.
    if (isField) source.select()
    else getSelection()?.selectAllChildren(source)
    return false
  }
}
