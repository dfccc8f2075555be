import type { Language } from '#platform/language.ts'
import type { AdminContext } from '../shared/context.ts'

/** Links from a campaign to the pages of its further parts. */
export function CampaignLinks({ context, id }: { context: AdminContext; id: number }) {
  const strings = linkStrings[context.language]
  return (
    <>
      <a class="button quiet" href={`/admin/campaigns/${id}/updates`}>
        {strings.updates}
      </a>
      <a class="button quiet" href={`/admin/campaigns/${id}/presentation`}>
        {strings.presentation}
      </a>
    </>
  )
}

/** Link from the list to what all campaigns share. */
export function PresentationLink({ context }: { context: AdminContext }) {
  return (
    <a class="button quiet" href="/admin/presentation">
      {linkStrings[context.language].defaults}
    </a>
  )
}

const linkStrings: Record<Language, { updates: string; presentation: string; defaults: string }> = {
  en: { updates: 'Updates', presentation: 'Contact and events', defaults: 'Contact and home page' },
  de: { updates: 'Neuigkeiten', presentation: 'Ansprechperson und Termine', defaults: 'Ansprechperson und Startseite' }
}
