/**
 * Keeps what is typed into long forms in the browser until it is saved, and offers it again: after a reload, a lost
 * connection or an expired session. A language tab takes unsaved text along. Signing out removes everything.
 */
const prefix = 'kalends-draft '
const keptDays = 14
const saveDelayMs = 300
/** Set by a language tab: the key of the form that was left. */
const tabKey = 'kalends-tab'

interface Draft {
  at: number
  /** Texts of one language. */
  texts: Values
  /** Fields that all languages share. */
  others: Values
  /** The form was sent; a success message on the next page removes the draft. */
  isSent?: boolean
}
type Values = Record<string, string[]>
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const { user = '', draftStrings = '{}' } = document.body.dataset
const strings: Record<string, string> = JSON.parse(draftStrings)
/** Nothing is written while the page is left. */
let isSignedOut = false

if (user === '') {
  // Signed out: on the page after that, or by another tab.
  if (/[?&]out=/.test(location.search)) removeAll()
} else {
  removeExpired()
  if (document.querySelector('.console-notice.good') !== null) removeSent()
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) keepDraft(form)
  document.querySelector('form[action="/admin/sign-out"]')?.addEventListener('submit', () => {
    isSignedOut = true
    removeAll()
  })
}

function keepDraft(form: HTMLFormElement): void {
  const key = `${prefix}${user} ${form.dataset.draft}`
  const initial = JSON.stringify(readForm(form))
  let timer: number | undefined
  const save = () => {
    clearTimeout(timer)
    if (isSignedOut) return
    const values = readForm(form)
    if (JSON.stringify(values) === initial) return
    write(key, { at: Date.now(), ...values })
  }
  // Offered before anything is typed, which would replace it.
  offer(form, key)
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(save, saveDelayMs)
  })
  form.addEventListener('change', save)
  window.addEventListener('pagehide', save)
  form.addEventListener('submit', event => {
    if (event.submitter?.hasAttribute('formtarget') === true) return save()
    write(key, { at: Date.now(), ...readForm(form), isSent: true })
    window.removeEventListener('pagehide', save)
  })
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('nav.tabs a')) {
    tab.addEventListener('click', () => {
      save()
      sessionStorage.setItem(tabKey, key)
      // Nothing is lost, so that leaving needs no question.
      form.dispatchEvent(new Event('kept'))
    })
  }
}

/** Restores at once what a language tab took along; otherwise asks. */
function offer(form: HTMLFormElement, key: string): void {
  const left = sessionStorage.getItem(tabKey)
  sessionStorage.removeItem(tabKey)
  const draft = read(key)
  const [path] = key.split('?')
  if (left !== null && left !== key && left.split('?')[0] === path) {
    const shared = read(left)?.others ?? {}
    if (draft !== undefined || Object.keys(shared).length > 0) {
      fill(form, { ...draft?.others, ...shared, ...draft?.texts })
      show(form, [strings.carried ?? ''])
    }
    return
  }
  if (draft === undefined) return
  // The server has shown the form again with what was sent.
  if (draft.isSent === true && document.getElementById('errors') !== null) return
  const values = { ...draft.others, ...draft.texts }
  if (!differs(form, values)) return
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  const close = show(form, [
    (strings.found ?? '').replace('…', time.format(draft.at)),
    createButton(strings.restore ?? '', () => {
      fill(form, values)
      close()
    }),
    createButton(strings.discard ?? '', () => {
      localStorage.removeItem(key)
      close()
    })
  ])
}

function show(form: HTMLFormElement, content: (string | Node)[]): () => void {
  const note = document.createElement('div')
  note.className = 'notice draft-notice'
  note.setAttribute('role', 'status')
  note.append(...content)
  form.prepend(note)
  // The form may be folded.
  form.closest('details')?.setAttribute('open', '')
  return () => {
    note.remove()
    form.querySelector<Control>('input:not([type="hidden"]), textarea')?.focus()
  }
}

function createButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'small quiet'
  button.textContent = label
  button.addEventListener('click', onClick)
  return button
}

/** Never passwords, files or account numbers, nor what the server put into the form. */
function listControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter((one): one is Control => {
    if (one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement) return one.name !== ''
    if (!(one instanceof HTMLInputElement) || one.name === '') return false
    return (
      !['hidden', 'password', 'file', 'submit', 'button'].includes(one.type) && !/iban|password|bic/i.test(one.name)
    )
  })
}

function readForm(form: HTMLFormElement): Pick<Draft, 'texts' | 'others'> {
  const values: Pick<Draft, 'texts' | 'others'> = { texts: {}, others: {} }
  for (const one of listControls(form)) {
    const group = one.lang === '' ? values.others : values.texts
    const list = group[one.name] ?? []
    group[one.name] = list
    if (!isBox(one) || one.checked) list.push(one.value)
  }
  return values
}

function isBox(one: Control): one is HTMLInputElement {
  return one instanceof HTMLInputElement && (one.type === 'checkbox' || one.type === 'radio')
}

function differs(form: HTMLFormElement, values: Values): boolean {
  const { texts, others } = readForm(form)
  const now: Values = { ...others, ...texts }
  return Object.entries(values).some(([name, list]) => now[name] !== undefined && String(now[name]) !== String(list))
}

function fill(form: HTMLFormElement, values: Values): void {
  const used: Record<string, number> = {}
  for (const one of listControls(form)) {
    const list = values[one.name]
    if (list === undefined) continue
    if (isBox(one)) {
      one.checked = list.includes(one.value)
    } else {
      const index = used[one.name] ?? 0
      used[one.name] = index + 1
      one.value = list[index] ?? ''
    }
    // Notifies a rich-text editor that replaces the field.
    one.dispatchEvent(new Event('filled'))
    one.dispatchEvent(new Event('change', { bubbles: true }))
    one.dispatchEvent(new Event('input', { bubbles: true }))
    one.closest('details')?.setAttribute('open', '')
  }
}

function listKeys(): string[] {
  return Object.keys(localStorage).filter(key => key.startsWith(prefix))
}

function read(key: string): Draft | undefined {
  const text = localStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as Draft)
}

/** A full storage must not keep the user from typing. */
function write(key: string, draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    localStorage.removeItem(key)
  }
}

function removeAll(): void {
  for (const key of listKeys()) localStorage.removeItem(key)
}

function removeExpired(): void {
  for (const key of listKeys()) {
    if ((read(key)?.at ?? 0) < Date.now() - keptDays * 86_400_000) localStorage.removeItem(key)
  }
}

/** After a save. The texts of another language are kept, without the shared fields, which are newer now. */
function removeSent(): void {
  const sent = listKeys().filter(key => read(key)?.isSent === true)
  for (const key of sent) {
    localStorage.removeItem(key)
    for (const other of listKeys().filter(one => one.split('?')[0] === key.split('?')[0])) {
      const draft = read(other)
      if (draft !== undefined) write(other, { ...draft, others: {} })
    }
  }
}

export {}
