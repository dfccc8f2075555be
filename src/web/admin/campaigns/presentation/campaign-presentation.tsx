import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignPresentation, Presentation } from '#fundraising/presentation/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../../components/field.tsx'
import { formatDay } from '../../../format/format.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../../server/calendar-api.ts'
import { getCampaignText } from '../../../server/campaign-text.ts'
import { getFormField, getFormFieldValues } from '../../../server/context.ts'
import { formBytesMax } from '../../images/image-field.tsx'
import { CheckboxGroup } from '../../shared/calendar/fields.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../../shared/context.ts'
import { hasErrors } from '../../shared/editor.tsx'
import { Form, isConflict } from '../../shared/form.tsx'
import { PicturePart } from '../picture-part.tsx'
import {
  type ContactDraft,
  loadContactDraft,
  readContactDraft,
  toContactBody,
  toContactErrors
} from './contact-fields.ts'
import { ContactPart } from './contact-part.tsx'

const menu = '/admin/campaigns'
const pattern = `${menu}/:id/presentation`
const writers: AdminRole[] = ['editor', 'treasurer']

/** Contact and events of a campaign. */
export function registerCampaignPresentationRoutes(console: AdminRouter): void {
  console.get(pattern, writers, async context => {
    const saved = await loadSaved(context)
    const own = saved.presentation.hasOwnContact ? saved.presentation.contact : null
    const draft = await loadContactDraft(context, own)
    return await buildPage(context, saved, { draft, eventIds: saved.presentation.eventIds.map(String) })
  })
  console.post(pattern, writers, save, formBytesMax)
}

interface Saved {
  campaign: Campaign
  presentation: CampaignPresentation
  etag: string
}

async function loadSaved({ api, params }: AdminContext): Promise<Saved> {
  const path = `/campaigns/${encodeURIComponent(params.id ?? '')}`
  const [campaign, presentation] = await Promise.all([
    api.get<Campaign>(path),
    api.get<CampaignPresentation>(`${path}/presentation`)
  ])
  return { campaign: campaign.body, presentation: presentation.body, etag: presentation.etag }
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const saved = await loadSaved(context)
  const draft = await readContactDraft(context)
  const eventIds = getFormFieldValues(context, 'events').filter(id => /^\d{1,15}$/.test(id))
  const show = async (more: Partial<ContactDraft> = {}) =>
    await buildPage(context, saved, { draft: { ...draft, ...more }, eventIds })
  if (hasErrors(draft)) return await show()
  const own = saved.presentation.hasOwnContact ? saved.presentation.contact : null
  const body = { contact: toContactBody(draft, own), eventIds: eventIds.map(Number) }
  try {
    const headers = { 'if-match': getFormField(context, 'etag') || saved.etag }
    await context.api.patch(`/campaigns/${saved.campaign.id}/presentation`, body, headers)
    context.flash({ text: getMessages('presentation', context.language).saved })
    return redirect(`${menu}/${saved.campaign.id}/presentation`, 303)
  } catch (error) {
    const { conflict } = getMessages('admin', context.language)
    if (isConflict(error)) return await show({ general: `${conflict.title} ${conflict.text}` })
    return await show(toContactErrors(context, error))
  }
}

async function buildPage(
  context: AdminContext,
  { campaign, presentation, etag }: Saved,
  { draft, eventIds }: { draft: ContactDraft; eventIds: string[] }
): Promise<AdminPage> {
  const { language, api } = context
  const strings = getMessages('presentation', language)
  const [events, defaults] = await Promise.all([
    listOfferedEvents(context, eventIds),
    api.get<Presentation>('/presentation')
  ])
  const name = defaults.body.contact?.name
  return {
    title: strings.title({ campaign: getCampaignText(campaign, language).name }),
    menu,
    scripts: ['event-form', 'console'],
    status: hasErrors(draft) ? 422 : 200,
    actions: (
      <a class="button quiet" href={`${menu}/${campaign.id}`}>
        {strings.back}
      </a>
    ),
    body: (
      <Form context={context} action={`${menu}/${campaign.id}/presentation`} upload class="editor money">
        <input type="hidden" name="etag" value={etag} />
        <ErrorSummary title={getMessages('admin', language).mend} errors={draft.errors} general={draft.general} />
        <div class="editor-columns">
          <div class="editor-main">
            <ContactPart
              context={context}
              draft={draft}
              hint={name === undefined ? strings.form.ownHintNone : strings.form.ownHint({ name })}
              taxStatus={presentation.taxStatus}
            />
            <section class="card">
              <h2>{strings.form.events}</h2>
              <p class="hint">{strings.form.eventsHint}</p>
              <CheckboxGroup
                name="events"
                legend={strings.form.eventsLegend}
                options={events}
                chosen={eventIds}
                empty={strings.form.noEvents}
              />
            </section>
          </div>
          <div class="editor-side">
            <PicturePart
              {...{ context, input: draft.input, choices: draft.choices, errors: draft.errors }}
              title={strings.form.picture}
            />
          </div>
        </div>
        <div class="editor-bar">
          <button type="submit">{getMessages('admin', language).save}</button>
        </div>
      </Form>
    )
  }
}

const eventsOffered = 50

/** Upcoming events, and those that are chosen already. */
async function listOfferedEvents(
  { api, language }: AdminContext,
  chosen: string[]
): Promise<{ value: string; label: string }[]> {
  const query = { language, per_page: eventsOffered }
  const [upcoming, others] = await Promise.all([
    api.get<EventList>(`${calendarPath}/events`, { ...query, ends_after: 'now' }),
    chosen.length === 0
      ? undefined
      : api.get<EventList>(`${calendarPath}/events`, { ...query, include: chosen.join(',') })
  ])
  const events = new Map<number, CalendarEvent>()
  for (const event of [...(others?.body.events ?? []), ...upcoming.body.events]) events.set(event.id, event)
  return [...events.values()]
    .sort((one, other) => one.utc_start_date.localeCompare(other.utc_start_date))
    .map(({ id, title, start_date }) => ({ value: String(id), label: `${formatDay(language, start_date)}: ${title}` }))
}
