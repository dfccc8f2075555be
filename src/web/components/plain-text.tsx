import type { ComponentChildren } from 'preact'
import { MailLink } from './mail-link.tsx'
import { parseWebAddress } from './web-link.tsx'

/**
 * Renders plain text: blank lines separate paragraphs, lines with a dash form a list, URLs become links. All other text
 * is escaped, so nothing can become markup.
 */
export function PlainText({ text }: { text: string }) {
  return (
    <>
      {splitBlocks(text).map(({ isList, lines }, index) =>
        isList ? (
          <ul key={index}>
            {lines.map((line, place) => (
              <li key={place}>{withLinks(line)}</li>
            ))}
          </ul>
        ) : (
          <p key={index}>
            {lines.map((line, place) => (
              <>
                {place === 0 ? null : <br />}
                {withLinks(line)}
              </>
            ))}
          </p>
        )
      )}
    </>
  )
}

interface Block {
  isList: boolean
  lines: string[]
}

function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    if (line === '') {
      open = undefined
      continue
    }
    const item = /^[-*•–]\s+(.+)$/s.exec(line)?.[1]
    const isList = item !== undefined
    if (open === undefined || open.isList !== isList) {
      open = { isList, lines: [] }
      blocks.push(open)
    }
    open.lines.push(item ?? line)
  }
  return blocks
}

/** Word by word, so that the time is linear in the length of the line. */
function withLinks(line: string): ComponentChildren[] {
  return line.split(/(\s+)/).map(word => {
    const { before, core, after } = splitPunctuation(word)
    const link = renderLink(core)
    return link === undefined ? (
      word
    ) : (
      <>
        {before}
        {link}
        {after}
      </>
    )
  })
}

function renderLink(word: string): ComponentChildren {
  if (/^https?:\/\//i.test(word)) {
    const url = parseWebAddress(word)
    return url === undefined ? undefined : (
      <a href={url.href} rel="nofollow noopener">
        {word}
      </a>
    )
  }
  return isMailAddress(word) ? <MailLink address={word} /> : undefined
}

function isMailAddress(word: string): boolean {
  const [name = '', host = '', ...rest] = word.split('@')
  return (
    word.length <= 254 && rest.length === 0 && /^[\w.+-]+$/.test(name) && /^[\w-]/.test(host) && /\w\.\w+$/.test(host)
  )
}

/** Punctuation around a URL belongs to the sentence. */
function splitPunctuation(word: string): { before: string; core: string; after: string } {
  let start = 0
  let end = word.length
  while (start < end && '(<["„‚'.includes(word.charAt(start))) start += 1
  while (end > start && '.,;:!?)>]"“”‘'.includes(word.charAt(end - 1))) end -= 1
  return { before: word.slice(0, start), core: word.slice(start, end), after: word.slice(end) }
}
