import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { withQuery } from '../../api.ts'
import { pathTo } from '../../paths.ts'
import { referenceWords } from '../../text/reference.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Group, Reference } from './openapi-view.ts'

/** A line for the shell, or an answer, with a button that copies it. */
export function Code({
  language,
  id,
  text,
  label
}: {
  language: Language
  id: string
  text: string
  /** What the button copies. */
  label: string
}) {
  return (
    <div class="code">
      <pre>
        <code id={id}>{text}</code>
      </pre>
      <CopyButton language={language} of={`#${id}`} label={label} />
    </div>
  )
}

/** A text in which backticks mark code. */
export function Marked({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
}

/** What the documents say is English. */
export function inEnglish(language: Language, text: string): ComponentChildren {
  if (text === '') return null
  const marked = <Marked text={text} />
  return language === 'en' ? marked : <span lang="en">{marked}</span>
}

export function groupPath(language: Language, key: string): string {
  return withQuery(pathTo('api', language), { group: key })
}

export function groupName(language: Language, { key }: Pick<Group, 'key'>): string {
  return referenceWords[language].groups[key]?.[0] ?? key
}

/** Groups by the service that they belong to, in their order. */
export function byService({ groups }: Reference): [service: string, groups: Group[]][] {
  const services = new Map<string, Group[]>()
  for (const group of groups) services.set(group.service, [...(services.get(group.service) ?? []), group])
  return [...services]
}

/** All pages of the reference, and below the one that is read what is on it. */
export function Contents({
  language,
  reference,
  current,
  parts
}: {
  language: Language
  reference: Reference
  /** The key of a group, or empty for the overview. */
  current: string
  parts: { anchor: string; title: string; isEnglish: boolean }[]
}) {
  const words = referenceWords[language]
  const here = (
    <ul class="contents-here">
      {parts.map(({ anchor, title, isEnglish }) => (
        <li key={anchor}>
          <a href={`#${anchor}`} lang={isEnglish && language !== 'en' ? 'en' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
  const link = (href: string, label: string, isCurrent: boolean) => (
    <li key={href}>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {label}
      </a>
      {isCurrent ? here : null}
    </li>
  )
  return (
    <nav class="contents no-print" aria-label={words.contents}>
      <ul class="contents-groups">{link(pathTo('api', language), words.start, current === '')}</ul>
      {byService(reference).map(([service, groups]) => (
        <div key={service}>
          <p>{words.services[service] ?? service}</p>
          <ul class="contents-groups">
            {groups.map(group =>
              link(groupPath(language, group.key), groupName(language, group), group.key === current)
            )}
          </ul>
        </div>
      ))}
    </nav>
  )
}
