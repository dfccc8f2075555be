import { withQuery } from '../../api.ts'
import { statementWords } from '../../text/statements.ts'
import type { Desk } from '../console.ts'
import { hereIn } from '../list-address.ts'
import { type Match, menu, type Result, type StatementEntry } from './statement-answers.ts'

const looks: Record<Result, string> = {
  suggested: 'warn',
  problem: 'bad',
  unmatched: 'plain',
  booked: 'good',
  returned: 'bad',
  ignored: 'plain',
  known: 'plain'
}

export function ResultBadge({ desk, result }: { desk: Desk; result: Result }) {
  return <span class={`badge ${looks[result]}`}>{statementWords[desk.language].badges[result]}</span>
}

/** The page of an entry, and where its forms go. */
export function entryPath({ statementId, id }: StatementEntry): string {
  return `${menu}/${statementId}/entries/${id}`
}

/** What was seen when it was decided, and where to go on. */
export function about(desk: Desk, { version }: StatementEntry): Record<string, string> {
  const isList = desk.params.entry === undefined
  return { version: String(version), back: isList ? hereIn(desk) : '' }
}

/** The way on in a list that is read from a place on: the API says where that is. */
export function More({ desk, link }: { desk: Desk; link: string }) {
  const words = statementWords[desk.language]
  const cursor = /[?&]cursor=([\w-]{1,100})/.exec(link)?.[1]
  const isBegun = (desk.query.cursor ?? '') !== ''
  if (cursor === undefined && !isBegun) return null
  return (
    <nav class="pager" aria-label={words.entries}>
      {isBegun ? (
        <a class="button quiet small" href={withQuery(desk.path, { ...desk.query, cursor: undefined })}>
          {words.first}
        </a>
      ) : (
        <span />
      )}
      {cursor === undefined ? null : (
        <a class="button quiet small" rel="next" href={withQuery(desk.path, { ...desk.query, cursor })}>
          {words.next}
        </a>
      )}
    </nav>
  )
}

/** The text of a transfer, with the references marked that donations were found by. */
export function MarkedText({ text, matches }: { text: string; matches: Match[] }) {
  const found = matches.flatMap(({ reference }) => placeOf(reference, text) ?? [])
  const [first] = found
  if (first === undefined) return <>{text}</>
  const { start, end } = first
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}

/** Written with other blanks, in small letters, or with one wrong character it is the reference still. */
function placeOf(reference: string, text: string): { start: number; end: number } | undefined {
  const characters = [...reference.replaceAll('-', '')].map(one => one.replace(/\W/, '\\$&'))
  const exact = formOf(characters)
  const close = characters.map((_, wrong) => formOf(characters.map((one, at) => (at === wrong ? '\\w' : one))))
  for (const form of [exact, ...close]) {
    const found = form.exec(text)
    if (found !== null) return { start: found.index, end: found.index + found[0].length }
  }
  return undefined
}

const formOf = (characters: string[]) => new RegExp(characters.join('[\\s-]{0,3}'), 'i')
