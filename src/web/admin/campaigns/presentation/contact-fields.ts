import type { CampaignContact } from '#fundraising/presentation/schema.ts'
import { PresentationChange } from '#fundraising/presentation/schema.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../../shared/context.ts'
import type { FormErrors } from '../../shared/editor.tsx'
import { toFormErrors } from '../../shared/form.tsx'
import { type FieldGroups, type FieldInput, type TextKey, withLimits } from '../../shared/forms/field-definition.ts'
import { newInput, parseInput, toInput, toNamedErrors } from '../../shared/forms/form-input.ts'
import { loadPictureChoices, type PictureChoices, readPicture, toPictureBody, toPictureInput } from '../picture.ts'

/** The fields of a contact. The picture is shown by the page. */
export const contactFields = withLimits(PresentationChange, {
  contact: [
    { name: 'contactName', path: 'contact/name', label: 'contactName', autocomplete: 'off' },
    { name: 'textEn', kind: 'lines', path: 'contact/text/en', label: 'textEn', lang: 'en' },
    { name: 'textDe', kind: 'lines', path: 'contact/text/de', label: 'textDe', lang: 'de' },
    [
      { name: 'email', kind: 'email', path: 'contact/email', label: 'email', autocomplete: 'off' },
      { name: 'phone', kind: 'tel', path: 'contact/phone', label: 'phone', autocomplete: 'off' }
    ]
  ],
  picture: [
    { name: 'image', kind: 'image', path: null, label: 'picture' },
    { name: 'imageUrl', path: 'contact/imageUrl', label: 'picture' },
    { name: 'imageAlt', path: 'contact/imageAlt', label: 'picture' }
  ]
} as const satisfies FieldGroups<TextKey<Messages<'presentation'>['form']>>)

export type ContactInput = FieldInput<typeof contactFields>

/** State of the contact's part of a form. */
export interface ContactDraft extends FormErrors {
  input: ContactInput
  choices: PictureChoices
}

export async function loadContactDraft(context: AdminContext, contact: CampaignContact | null): Promise<ContactDraft> {
  const input =
    contact === null
      ? newInput(contactFields)
      : { ...toInput(context, contactFields, { contact }), ...toPictureInput(context, contact) }
  return { input, choices: await loadPictureChoices(context, input.image), errors: {} }
}

/** The form that was sent. */
export async function readContactDraft(context: AdminContext): Promise<ContactDraft> {
  const { input, errors } = await readPicture(context, parseInput(context, contactFields))
  const { wrong } = getMessages('presentation', context.language)
  const found: Record<string, string> = { ...errors }
  const { contactName, ...others } = input
  if (contactName === '' && Object.values(others).some(text => text !== '')) found.contactName = wrong.name
  if (input.image !== '' && input.imageUrl !== '') found.imageUrl = wrong.imageTwice
  return { input, choices: await loadPictureChoices(context, input.image), errors: found }
}

/** Null without a name. */
export function toContactBody({ input, choices }: ContactDraft, saved: CampaignContact | null): object | null {
  if (input.contactName === '') return null
  return {
    name: input.contactName,
    text: { en: input.textEn, de: input.textDe },
    email: input.email || null,
    phone: input.phone || null,
    ...toPictureBody(input, saved?.imageUrl ?? null, choices.image)
  }
}

export function toContactErrors(context: AdminContext, error: unknown): FormErrors {
  const { fields, general } = toFormErrors(error)
  return { errors: toNamedErrors(contactFields, getMessages('presentation', context.language).form, fields), general }
}
