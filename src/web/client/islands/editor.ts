import { Editor } from '@tiptap/core'
import { StarterKit } from '@tiptap/starter-kit'

/** Rich-text editor in place of a textarea. HTML that it cannot represent stays in the textarea, so nothing is lost. */
type EditorStrings = Record<string, string>

function mountAll(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-rich]')) {
    const strings = JSON.parse(area.dataset.rich ?? '{}') as EditorStrings
    if (canEdit(area.value)) mount(area, strings)
    else area.insertAdjacentElement('afterend', createNote(strings.unknown ?? ''))
  }
}

function mount(area: HTMLTextAreaElement, strings: EditorStrings): void {
  const label = document.querySelector<HTMLLabelElement>(`label[for="${area.id}"]`)
  const frame = document.createElement('div')
  frame.className = 'rich'
  const place = document.createElement('div')
  frame.append(place)
  area.after(frame)
  area.hidden = true
  if (label !== null) label.id = `${area.id}-label`

  const editor = new Editor({
    element: place,
    // Our CSP allows no styles injected by scripts.
    injectCSS: false,
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        code: false,
        codeBlock: false,
        horizontalRule: false,
        strike: false,
        underline: false,
        link: { openOnClick: false, HTMLAttributes: { target: null, rel: null } }
      })
    ],
    content: toParagraphs(area.value),
    editorProps: {
      attributes: {
        class: 'rich-text prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${area.id}-label`,
        lang: area.lang,
        ...getDescription(area)
      }
    },
    onUpdate: () => {
      area.value = editor.isEmpty ? '' : cleanHtml(editor.getHTML())
      area.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  label?.addEventListener('click', () => editor.commands.focus())
  area.addEventListener('filled', () => editor.commands.setContent(toParagraphs(area.value)))
  frame.prepend(createToolbar(editor, strings))
}

/** Removes paragraphs around list items, and empty ones at the end. */
function cleanHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const item of body.querySelectorAll('li')) {
    const [paragraph, second] = item.querySelectorAll(':scope > p')
    if (paragraph !== undefined && second === undefined) paragraph.replaceWith(...paragraph.childNodes)
  }
  while (body.lastElementChild?.outerHTML === '<p></p>') body.lastElementChild.remove()
  return body.innerHTML
}

function getDescription(area: HTMLTextAreaElement): Record<string, string> {
  const ids = area.getAttribute('aria-describedby')
  const invalid = area.getAttribute('aria-invalid')
  return {
    ...(ids === null ? {} : { 'aria-describedby': ids }),
    ...(invalid === null ? {} : { 'aria-invalid': invalid })
  }
}

interface Tool {
  name: string
  /** A letter, or an SVG path on a 20 × 20 grid. */
  sign?: string
  icon?: string
  act(editor: Editor): void
  isOn?(editor: Editor): boolean
}

const tools: Tool[] = [
  {
    name: 'bold',
    sign: 'B',
    act: one => one.chain().focus().toggleBold().run(),
    isOn: one => one.isActive('bold')
  },
  {
    name: 'italic',
    sign: 'I',
    act: one => one.chain().focus().toggleItalic().run(),
    isOn: one => one.isActive('italic')
  },
  {
    name: 'heading2',
    sign: 'H2',
    act: one => one.chain().focus().toggleHeading({ level: 2 }).run(),
    isOn: one => one.isActive('heading', { level: 2 })
  },
  {
    name: 'heading3',
    sign: 'H3',
    act: one => one.chain().focus().toggleHeading({ level: 3 }).run(),
    isOn: one => one.isActive('heading', { level: 3 })
  },
  {
    name: 'bulletList',
    icon: 'M8 5h8M8 10h8M8 15h8M3.5 5h.1M3.5 10h.1M3.5 15h.1',
    act: one => one.chain().focus().toggleBulletList().run(),
    isOn: one => one.isActive('bulletList')
  },
  {
    name: 'orderedList',
    icon: 'M8 5h8M8 10h8M8 15h8M3 3.6 4.2 3v4M2.8 12.4h2l-2 3.2h2.1',
    act: one => one.chain().focus().toggleOrderedList().run(),
    isOn: one => one.isActive('orderedList')
  },
  {
    name: 'blockquote',
    icon: 'M4 5v10M8 6h8M8 10h8M8 14h5',
    act: one => one.chain().focus().toggleBlockquote().run(),
    isOn: one => one.isActive('blockquote')
  },
  { name: 'undo', icon: 'M7 4 3.5 7.5 7 11M4 7.5h7.5a4 4 0 0 1 0 8H8', act: one => one.chain().focus().undo().run() },
  {
    name: 'redo',
    icon: 'M13 4l3.5 3.5L13 11M16 7.5H8.5a4 4 0 0 0 0 8H12',
    act: one => one.chain().focus().redo().run()
  }
]

const linkIcon =
  'M8.5 11.5a3 3 0 0 0 4.2 0l2.8-2.8a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-2.8 2.8a3 3 0 0 0 4.2 4.2l1-1'

/** One tab stop; arrow keys move between buttons (roving tabindex). */
function createToolbar(editor: Editor, strings: EditorStrings): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'rich-tools'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', strings.toolbar ?? '')
  const buttons = tools.map(tool => {
    const button = createToolButton(tool, strings)
    button.addEventListener('click', () => tool.act(editor))
    return { button, tool }
  })
  const link = createLinkTool(editor, strings)
  bar.append(...buttons.map(({ button }) => button), link.button)

  const stops = [...buttons.map(({ button }) => button), link.button]
  const stopAt = (index: number) => {
    for (const [place, button] of stops.entries()) button.tabIndex = place === index ? 0 : -1
  }
  stopAt(0)
  bar.addEventListener('keydown', event => {
    const here = stops.indexOf(event.target as HTMLButtonElement)
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -here, End: stops.length - 1 - here }[event.key]
    if (here < 0 || step === undefined) return
    event.preventDefault()
    const next = (here + step + stops.length) % stops.length
    stopAt(next)
    stops[next]?.focus()
  })

  const show = () => {
    for (const { button, tool } of buttons) {
      if (tool.isOn !== undefined) button.setAttribute('aria-pressed', String(tool.isOn(editor)))
    }
    link.button.setAttribute('aria-pressed', String(editor.isActive('link')))
  }
  editor.on('transaction', show)
  show()

  const whole = document.createElement('div')
  whole.append(bar, link.panel)
  return whole
}

function createToolButton(
  { name, sign, icon }: Pick<Tool, 'name' | 'sign' | 'icon'>,
  strings: EditorStrings
): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = `tool tool-${name}`
  button.title = strings[name] ?? name
  button.setAttribute('aria-label', strings[name] ?? name)
  const face = document.createElement('span')
  face.setAttribute('aria-hidden', 'true')
  if (icon === undefined) face.textContent = sign ?? ''
  else face.innerHTML = `<svg viewBox="0 0 20 20" width="20" height="20"><path d="${icon}"/></svg>`
  button.append(face)
  return button
}

/** Link button with a small panel for the URL. */
function createLinkTool(editor: Editor, strings: EditorStrings): { button: HTMLButtonElement; panel: HTMLElement } {
  const button = createToolButton({ name: 'link', icon: linkIcon }, strings)
  const panel = document.createElement('div')
  panel.className = 'rich-link'
  panel.hidden = true
  const address = document.createElement('input')
  address.type = 'url'
  address.placeholder = 'https://'
  address.setAttribute('aria-label', strings.address ?? '')
  const act = (name: string, run: () => void) => {
    const one = document.createElement('button')
    one.type = 'button'
    one.className = 'small quiet'
    one.textContent = strings[name] ?? name
    one.addEventListener('click', run)
    return one
  }
  const open = (isOpen: boolean) => {
    panel.hidden = !isOpen
    button.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) {
      address.value = String(editor.getAttributes('link').href ?? '')
      address.focus()
    } else editor.commands.focus()
  }
  const set = () => {
    const href = address.value.trim()
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    } else chain.setLink({ href }).run()
    open(false)
  }
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
    open(false)
  }
  address.addEventListener('keydown', event => {
    if (event.key === 'Enter') {
      // Enter sets the link and must not submit the form.
      event.preventDefault()
      set()
    } else if (event.key === 'Escape') open(false)
  })
  // This input is not a field of the form.
  address.addEventListener('input', event => event.stopPropagation())
  panel.append(
    address,
    act('set', set),
    act('unlink', remove),
    act('cancel', () => open(false))
  )
  button.setAttribute('aria-expanded', 'false')
  button.addEventListener('click', () => open(panel.hidden === true))
  return { button, panel }
}

const known = new Set('P,BR,STRONG,B,EM,I,H2,H3,UL,OL,LI,A,BLOCKQUOTE'.split(','))

/** True if the editor preserves everything in this HTML. */
function canEdit(html: string): boolean {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  return [...parsed.body.querySelectorAll('*')].every(element => {
    const kept = element.tagName === 'A' ? ['href', 'rel', 'target'] : element.tagName === 'OL' ? ['start'] : []
    return known.has(element.tagName) && [...element.attributes].every(({ name }) => kept.includes(name))
  })
}

/** Wraps lines without tags in paragraphs, as the API does. */
function toParagraphs(text: string): string {
  if (/<[a-z]/i.test(text)) return text
  const holder = document.createElement('div')
  for (const lines of text.split(/\n{2,}/)) {
    const paragraph = document.createElement('p')
    paragraph.textContent = lines
    holder.append(paragraph)
  }
  return holder.innerHTML
}

function createNote(text: string): HTMLElement {
  const paragraph = document.createElement('p')
  paragraph.className = 'hint'
  paragraph.textContent = text
  return paragraph
}

mountAll()
