import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { getFormField } from '../../../server/context.ts'
import type { AdminContext, AdminPage } from '../../shared/context.ts'
import { hasErrors } from '../../shared/editor.tsx'
import { isConflict, toFormErrors } from '../../shared/form.tsx'
import { parseInput, toNamedErrors } from '../../shared/forms/form-input.ts'
import { loadPictureChoices, readPicture, toPictureBody } from '../picture.ts'
import { type UpdateInput, updateFields } from './update-fields.ts'
import type { UpdateDraft } from './update-form.tsx'
import { getUpdateApiPath, getUpdatesMenu } from './update-paths.ts'

type ShowForm = (draft: UpdateDraft) => AdminPage | Promise<AdminPage>

export async function createUpdate(context: AdminContext, show: ShowForm): Promise<AdminPage | Redirect> {
  const draft = await readDraft(context, undefined, '')
  if (hasErrors(draft)) return await show(draft)
  try {
    const path = `/campaigns/${encodeURIComponent(context.params.id ?? '')}/updates`
    const { body } = await context.api.post<CampaignUpdate>(path, toUpdateBody(draft))
    context.flash({ text: getMessages('update', context.language).form.created })
    return redirect(`${getUpdatesMenu(context)}/${body.id}`, 303)
  } catch (error) {
    return await show({ ...draft, ...toUpdateErrors(context, error) })
  }
}

export async function saveUpdate(context: AdminContext, show: ShowForm): Promise<AdminPage | Redirect> {
  const path = getUpdateApiPath(context)
  const { body: saved, etag } = await context.api.get<CampaignUpdate>(path)
  const draft = await readDraft(context, saved, getFormField(context, 'etag') || etag)
  if (hasErrors(draft)) return await show(draft)
  try {
    await context.api.patch(path, toUpdateBody(draft), { 'if-match': draft.etag })
    context.flash({ text: getMessages('update', context.language).form.saved })
    return redirect(`${getUpdatesMenu(context)}/${saved.id}`, 303)
  } catch (error) {
    // Sending the form again saves it over the other version.
    if (isConflict(error)) {
      const { conflict } = getMessages('admin', context.language)
      return await show({ ...draft, etag, general: `${conflict.title} ${conflict.text}` })
    }
    return await show({ ...draft, ...toUpdateErrors(context, error) })
  }
}

async function readDraft(context: AdminContext, saved: CampaignUpdate | undefined, etag: string): Promise<UpdateDraft> {
  const { input, errors } = await readPicture(context, parseInput(context, updateFields))
  const choices = await loadPictureChoices(context, input.image)
  return { saved, etag, input, choices, errors: { ...findErrors(context, input), ...errors } }
}

function findErrors({ language }: AdminContext, input: UpdateInput): Record<string, string> {
  const { wrong } = getMessages('update', language)
  const errors: Record<string, string> = {}
  if (input.titleEn === '' && input.textEn !== '') errors.titleEn = wrong.titleForText
  if (input.titleDe === '' && input.textDe !== '') errors.titleDe = wrong.titleForText
  if (input.titleEn + input.titleDe + input.textEn + input.textDe === '') {
    errors[language === 'de' ? 'titleDe' : 'titleEn'] = wrong.title
  }
  if (input.image !== '' && input.imageUrl !== '') errors.imageUrl = wrong.imageTwice
  return errors
}

/** A language without a title is removed. */
function toUpdateBody({ saved, input, choices }: UpdateDraft): object {
  const toText = (title: string, text: string) => (title === '' ? null : { title, text })
  const texts = { en: toText(input.titleEn, input.textEn), de: toText(input.titleDe, input.textDe) }
  return {
    // A new update has nothing to remove.
    texts: saved === undefined ? Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)) : texts,
    date: input.date,
    status: input.status === 'published' ? 'published' : 'draft',
    ...toPictureBody(input, saved?.imageUrl ?? null, choices.image)
  }
}

function toUpdateErrors(context: AdminContext, error: unknown): Pick<UpdateDraft, 'errors' | 'general'> {
  const { fields, general } = toFormErrors(error)
  const { form, wrong } = getMessages('update', context.language)
  const isFuture = 'code' in (error as object) && (error as { code: string }).code === 'in-the-future'
  return {
    errors: toNamedErrors(updateFields, form, fields, { date: isFuture ? wrong.future : undefined }),
    general
  }
}
