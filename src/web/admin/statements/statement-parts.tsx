import { getMessages } from '#platform/messages/messages.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { getListQuery } from '../shared/list-query.ts'
import { type EntryResult, type Match, menu, type StatementEntry } from './statement.ts'

const badgeClasses: Record<EntryResult, string> = {
  suggested: 'warn',
  problem: 'bad',
  unmatched: 'plain',
  booked: 'good',
  returned: 'bad',
  ignored: 'plain',
  known: 'plain'
}

export function ResultBadge({ context, result }: { context: AdminContext; result: EntryResult }) {
  return (
    <span class={`badge ${badgeClasses[result]}`}>{getMessages('statement', context.language).badges[result]}</span>
  )
}

/** Page of an entry, also the target of its forms. */
export function getEntryPath({ statementId, id }: StatementEntry): string {
  return `${menu}/${statementId}/entries/${id}`
}

/** Hidden fields: the version that was shown, and the return path. */
export function buildEntryFields(context: AdminContext, { version }: StatementEntry): Record<string, string> {
  const isList = context.params.entry === undefined
  return { version: String(version), back: isList ? getListQuery(context) : '' }
}

/** Link to the next page of a list with cursor paging; the API returns the cursor. */
export function MoreLink({ context, link }: { context: AdminContext; link: string }) {
  const strings = getMessages('statement', context.language)
  const cursor = /[?&]cursor=([\w-]{1,100})/.exec(link)?.[1]
  const isBegun = (context.query.cursor ?? '') !== ''
  if (cursor === undefined && !isBegun) return null
  return (
    <nav class="pager" aria-label={strings.entries}>
      {isBegun ? (
        <a class="button quiet small" href={withQuery(context.path, { ...context.query, cursor: undefined })}>
          {strings.first}
        </a>
      ) : (
        <span />
      )}
      {cursor === undefined ? null : (
        <a class="button quiet small" rel="next" href={withQuery(context.path, { ...context.query, cursor })}>
          {strings.next}
        </a>
      )}
    </nav>
  )
}

/** Remittance text with highlighted references of the matched donations. */
export function MarkedText({ text, matches }: { text: string; matches: Match[] }) {
  const found = matches.flatMap(({ reference }) => findReference(reference, text) ?? [])
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

/** Finds a reference despite different spacing, lower case, or one wrong character. */
function findReference(reference: string, text: string): { start: number; end: number } | undefined {
  const characters = [...reference.replaceAll('-', '')].map(one => one.replace(/\W/, '\\$&'))
  const exact = toPattern(characters)
  const close = characters.map((_, wrong) => toPattern(characters.map((one, at) => (at === wrong ? '\\w' : one))))
  for (const form of [exact, ...close]) {
    const found = form.exec(text)
    if (found !== null) return { start: found.index, end: found.index + found[0].length }
  }
  return undefined
}

const toPattern = (characters: string[]) => new RegExp(characters.join('[\\s-]{0,3}'), 'i')
