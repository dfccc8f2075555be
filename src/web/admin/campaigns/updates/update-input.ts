import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { toLocalDay } from '../../../format/format.ts'
import type { AdminContext } from '../../shared/context.ts'
import { newInput, toInput } from '../../shared/forms/form-input.ts'
import { loadPictureChoices, toPictureInput } from '../picture.ts'
import { updateFields } from './update-fields.ts'
import type { UpdateDraft } from './update-form.tsx'
import { getUpdateApiPath } from './update-paths.ts'

export async function newDraft(context: AdminContext): Promise<UpdateDraft> {
  const date = toLocalDay(context.site.timezone, context.now)
  const input = { ...newInput(updateFields), date }
  return { saved: undefined, etag: '', input, choices: await loadPictureChoices(context, ''), errors: {} }
}

export async function loadDraft(context: AdminContext): Promise<UpdateDraft> {
  const { body: saved, etag } = await context.api.get<CampaignUpdate>(getUpdateApiPath(context))
  const input = { ...toInput(context, updateFields, saved), ...toPictureInput(context, saved) }
  return { saved, etag, input, choices: await loadPictureChoices(context, input.image), errors: {} }
}
