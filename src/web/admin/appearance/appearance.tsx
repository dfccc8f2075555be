import { type FilePart, isFilePart } from '#platform/http/file-part.ts'
import { languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Hero, Site, SiteAppearance } from '#platform/site/schema.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { formBytesMax, type StoredImage, uploadImage } from '../images/image-field.tsx'
import { ConflictNotice } from '../shared/conflict-notice.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { type FormErrors, hasErrors } from '../shared/editor.tsx'
import { isConflict, toFormErrors } from '../shared/form.tsx'
import { AppearanceForm, type AppearanceInput } from './appearance-form.tsx'

const path = '/admin/appearance'

export function registerAppearanceRoutes(console: AdminRouter): void {
  console.get(path, ['editor'], async context => await showForm(context))
  // Two images, and the other fields.
  console.post(path, ['editor'], save, 2 * formBytesMax)
}

async function showForm(
  context: AdminContext,
  sent?: FormErrors & { input: AppearanceInput; isConflict?: boolean }
): Promise<AdminPage> {
  const { body: site, etag } = await context.api.get<Site>('/site')
  const wrong = { errors: sent?.errors ?? {}, general: sent?.general }
  const { nav } = getMessages('admin', context.language)
  return {
    title: nav.appearance,
    menu: path,
    scripts: ['console'],
    status: sent?.isConflict === true ? 412 : hasErrors(wrong) ? 422 : 200,
    body: (
      <div class="narrow">
        {sent?.isConflict === true ? <ConflictNotice context={context} /> : null}
        <p class="lead">{getMessages('appearance', context.language).lead}</p>
        <AppearanceForm
          {...wrong}
          context={context}
          site={site}
          etag={etag}
          input={sent?.input ?? toAppearanceInput(site)}
          action={path}
        />
      </div>
    )
  }
}

function toAppearanceInput({ theme, accent, logoUrl, hero, socialLinks }: Site): AppearanceInput {
  return {
    theme,
    accentOwn: accent === null ? '' : 'yes',
    accent: accent ?? '',
    logoUrl: logoUrl ?? '',
    heroAlt: { en: hero?.alt.en ?? '', de: hero?.alt.de ?? '' },
    socialLinks: socialLinks.join('\n')
  }
}

function parseAppearance(context: AdminContext): AppearanceInput {
  const get = (name: string) => getFormField(context, name)
  return {
    theme: get('theme'),
    accentOwn: get('accentOwn'),
    accent: get('accent'),
    logoUrl: get('logoUrl'),
    heroAlt: { en: get('heroAlt-en'), de: get('heroAlt-de') },
    socialLinks: get('socialLinks').replaceAll('\r\n', '\n')
  }
}

async function save(context: AdminContext): Promise<AdminPage | Redirect> {
  const input = parseAppearance(context)
  const { logo, hero, errors } = await storeUploads(context)
  const stored = logo === undefined ? input : { ...input, logoUrl: toPath(logo.url) }
  if (Object.keys(errors).length > 0) return await showForm(context, { input: stored, errors })
  try {
    const { body: site } = await context.api.get<Site>('/site')
    const changes = toChanges(context, stored, { site, hero })
    await context.api.patch('/site/appearance', changes, { 'if-match': getFormField(context, 'etag') || '*' })
    context.flash({ text: getMessages('appearance', context.language).saved })
    return redirect(path, 303)
  } catch (error) {
    if (isConflict(error)) return await showForm(context, { input: stored, errors: {}, isConflict: true })
    const { fields, general } = toFormErrors(error)
    return await showForm(context, { input: stored, errors: toOwnErrors(context, fields), general })
  }
}

/** A profile is one line of a field. */
function toOwnErrors(context: AdminContext, fields: Record<string, string>): Record<string, string> {
  const strings = getMessages('appearance', context.language)
  const labels: Record<string, string> = {
    socialLinks: strings.socialLinks,
    logoUrl: strings.logoUrl,
    accent: strings.accent,
    theme: strings.theme
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, message]) => {
      const field = name.split('/')[0] ?? ''
      const label = labels[field]
      return [field, label === undefined ? message : message.replace(/^[\w.]+/, label)]
    })
  )
}

interface Uploads {
  logo: StoredImage | undefined
  hero: StoredImage | undefined
  errors: Record<string, string>
}

async function storeUploads(context: AdminContext): Promise<Uploads> {
  const errors: Record<string, string> = {}
  const store = async (name: string, alt: string): Promise<StoredImage | undefined> => {
    const file = context.form[name]
    if (!isFilePart(file) || file.bytes.length === 0) return undefined
    try {
      return await uploadImage(context.api, file as FilePart, alt)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      errors[name] = error.message
      return undefined
    }
  }
  const logo = await store('logo', '')
  const hero = await store('hero', getFormField(context, `heroAlt-${context.site.defaultLanguage}`))
  return { logo, hero, errors }
}

function toChanges(
  context: AdminContext,
  input: AppearanceInput,
  { site, hero }: { site: Site; hero: StoredImage | undefined }
): SiteAppearance {
  const isRemoved = (name: string) => getFormField(context, name) !== ''
  const shown = hero === undefined ? site.hero : toHero(hero)
  return {
    theme: input.theme as Site['theme'],
    accent: input.accentOwn === '' ? null : input.accent || null,
    logoUrl: input.logoUrl === '' || isRemoved('removeLogo') ? null : input.logoUrl,
    hero: shown === null || isRemoved('removeHero') ? null : { ...shown, alt: input.heroAlt },
    socialLinks: input.socialLinks
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
  }
}

/** Sizes with the same proportions; thumbnails are cropped. */
function toHero({ url, width, height, sizes }: StoredImage): Hero {
  const whole = Object.values(sizes).filter(one => Math.abs(one.width / one.height / (width / height) - 1) < 0.02)
  return {
    url: toPath(url),
    width,
    height,
    alt: Object.fromEntries(languages.map(language => [language, ''])) as Hero['alt'],
    sizes: whole.map(one => ({ url: toPath(one.url), width: one.width })).sort((one, other) => one.width - other.width)
  }
}

/** Without the host, so that the site can move to another. */
function toPath(url: string): string {
  return new URL(url).pathname
}
