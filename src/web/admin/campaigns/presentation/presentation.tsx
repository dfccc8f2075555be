import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Presentation } from '#fundraising/presentation/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Select } from '../../../components/field.tsx'
import { type Redirect, redirect } from '../../../page/page.ts'
import { getCampaignState, getCampaignText } from '../../../server/campaign-text.ts'
import { getFormField } from '../../../server/context.ts'
import { formBytesMax } from '../../images/image-field.tsx'
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
export const presentationPath = '/admin/presentation'
const writers: AdminRole[] = ['editor', 'treasurer']

/** The default contact of campaigns, and the campaign of the home page. */
export function registerPresentationRoutes(console: AdminRouter): void {
  console.get(presentationPath, writers, async context => {
    const saved = await context.api.get<Presentation>('/presentation')
    const draft = await loadContactDraft(context, saved.body.contact)
    return await buildPage(context, saved, draft, String(saved.body.homeCampaignId ?? ''))
  })
  console.post(presentationPath, writers, save, formBytesMax)
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const saved = await context.api.get<Presentation>('/presentation')
  const draft = await readContactDraft(context)
  const home = /^\d{1,15}$/.exec(getFormField(context, 'homeCampaign'))?.[0] ?? ''
  if (hasErrors(draft)) return await buildPage(context, saved, draft, home)
  try {
    const body = {
      contact: toContactBody(draft, saved.body.contact),
      homeCampaignId: home === '' ? null : Number(home)
    }
    await context.api.patch('/presentation', body, { 'if-match': getFormField(context, 'etag') || saved.etag })
    context.flash({ text: getMessages('presentation', context.language).saved })
    return redirect(presentationPath, 303)
  } catch (error) {
    const { conflict } = getMessages('admin', context.language)
    const wrong = isConflict(error)
      ? { errors: {}, general: `${conflict.title} ${conflict.text}` }
      : toContactErrors(context, error)
    return await buildPage(context, saved, { ...draft, ...wrong }, home)
  }
}

async function buildPage(
  context: AdminContext,
  { body: saved, etag }: { body: Presentation; etag: string },
  draft: ContactDraft,
  home: string
): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('presentation', language)
  return {
    title: strings.defaultsTitle,
    menu,
    scripts: ['event-form', 'console'],
    status: hasErrors(draft) ? 422 : 200,
    actions: (
      <a class="button quiet" href={menu}>
        {strings.backToList}
      </a>
    ),
    body: (
      <Form context={context} action={presentationPath} upload class="editor money">
        <input type="hidden" name="etag" value={etag} />
        <ErrorSummary title={getMessages('admin', language).mend} errors={draft.errors} general={draft.general} />
        <div class="editor-columns">
          <div class="editor-main">
            <ContactPart context={context} draft={draft} hint={strings.form.removeHint} taxStatus={saved.taxStatus} />
          </div>
          <div class="editor-side">
            <section class="card">
              <h2>{strings.form.home}</h2>
              <Select
                name="homeCampaign"
                label={strings.form.homeCampaign}
                hint={strings.form.homeHint}
                value={home}
                options={await listHomeOptions(context, home)}
              />
            </section>
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

/** Campaigns that are open or will be, and the chosen one. */
async function listHomeOptions(
  { api, language, now }: AdminContext,
  chosen: string
): Promise<{ value: string; label: string }[]> {
  const { body } = await api.get<Campaign[]>('/campaigns')
  const offered = body.filter(one => ['open', 'soon'].includes(getCampaignState(one, now)) || String(one.id) === chosen)
  return [
    { value: '', label: getMessages('presentation', language).form.homeAutomatic },
    ...offered.map(one => ({ value: String(one.id), label: getCampaignText(one, language).name }))
  ]
}
