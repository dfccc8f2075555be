import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { withQuery } from '../../server/api-client.ts'
import { getPath } from '../../server/paths.ts'
import type { Group, Reference } from './openapi-view.ts'

/** A shell command or response, with a copy button. */
export function Code({
  language,
  id,
  text,
  label
}: {
  language: Language
  id: string
  text: string
  /** Accessible label of the copy button. */
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

/** Renders text between backticks as code. */
export function CodeMarkup({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
}

/** Texts of the OpenAPI document are English. */
export function renderEnglish(language: Language, text: string): ComponentChildren {
  if (text === '') return null
  const marked = <CodeMarkup text={text} />
  return language === 'en' ? marked : <span lang="en">{marked}</span>
}

export function getGroupPath(language: Language, key: string): string {
  return withQuery(getPath('api', language), { group: key })
}

export function getGroupName(language: Language, { key, name }: Group): string {
  return findText(getMessages('reference', language).groups, `${key}.0`) ?? name
}

export function getGroupDescription(language: Language, { key, description }: Group): string {
  return findText(getMessages('reference', language).groups, `${key}.1`) ?? description
}

/** Groups by service, in order. */
export function groupByService({ groups }: Reference): [service: string, groups: Group[]][] {
  const services = new Map<string, Group[]>()
  for (const group of groups) services.set(group.service, [...(services.get(group.service) ?? []), group])
  return [...services]
}

/** Navigation: all pages of the reference, with the entries of the current one. */
export function Contents({
  language,
  reference,
  current,
  parts
}: {
  language: Language
  reference: Reference
  /** Key of a group, or empty for the overview. */
  current: string
  parts: { anchor: string; title: string; isEnglish: boolean }[]
}) {
  const strings = getMessages('reference', language)
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
    <nav class="contents no-print" aria-label={strings.contents}>
      <ul class="contents-groups">{link(getPath('api', language), strings.start, current === '')}</ul>
      {groupByService(reference).map(([service, groups]) => (
        <div key={service}>
          <p>{findText(strings.services, service) ?? service}</p>
          <ul class="contents-groups">
            {groups.map(group =>
              link(getGroupPath(language, group.key), getGroupName(language, group), group.key === current)
            )}
          </ul>
        </div>
      ))}
    </nav>
  )
}
