import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'

export function PrevNextNav({
  language,
  previous,
  next,
  today,
  labels
}: {
  language: Language
  previous: string | undefined
  next: string | undefined
  today: string
  labels: [previous: string, next: string]
}) {
  const strings = getMessages('calendar', language)
  const arrow = (href: string | undefined, rel: 'prev' | 'next', label: string, sign: string) =>
    href === undefined ? null : (
      <a class="button quiet" href={href} rel={rel} title={label}>
        <span aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{label}</span>
      </a>
    )
  return (
    <nav class="prev-next no-print" aria-label={strings.browse}>
      {arrow(previous, 'prev', labels[0], '‹')}
      <a class="button quiet" href={today}>
        {strings.today}
      </a>
      {arrow(next, 'next', labels[1], '›')}
    </nav>
  )
}
