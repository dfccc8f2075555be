import type { Language } from '#platform/language.ts'

const en = {
  lead: 'Colours, logo and images of the public site. Everything is public as soon as it is saved.',
  saved: 'Appearance saved. It is public now.',
  colours: 'Colours',
  theme: 'Theme',
  themes: { brick: 'Brick', forest: 'Forest', ocean: 'Ocean', plum: 'Plum', honey: 'Honey', slate: 'Slate' },
  accentOwn: 'Use your own accent colour',
  accentOwnHint: 'Otherwise the site has the accent colour of the theme.',
  accent: 'Colour',
  accentHint: 'Adjusted slightly where text would not be readable otherwise.',
  sample: 'Sample',
  sampleButton: 'Button',
  sampleLink: 'Link',
  sampleBadge: 'Label',
  logo: 'Logo',
  logoHint:
    'PNG, JPEG, WebP, GIF or AVIF, at most 10 MB. A square image with a transparent background is best, because it also becomes the icon of the site.',
  logoUpload: 'Upload a logo',
  logoCurrent: 'Current logo',
  logoRemove: 'Remove the logo',
  logoUrl: 'Or URL of a logo',
  logoUrlHint: 'An image on the web or on this site. Only an uploaded logo becomes the icon of the site.',
  hero: 'Image of the home page',
  heroHint: 'Shown at the top of the home page. A landscape image at least 1,200 pixels wide is best.',
  heroUpload: 'Upload an image',
  heroCurrent: 'Current image',
  heroRemove: 'Remove the image',
  heroAlt: { en: 'Alternative text in English', de: 'Alternative text in German' },
  heroAltHint: 'Describes the image for people who cannot see it. Leave empty if the image is only decoration.',
  social: 'Social networks',
  socialLinks: 'Addresses of your profiles',
  socialLinksHint: 'One https address per line, at most 10. Shown as icons in the footer.'
}

export type AppearanceStrings = typeof en

const de: AppearanceStrings = {
  lead: 'Farben, Logo und Bilder der Website. Alles ist sofort nach dem Speichern öffentlich.',
  saved: 'Das Aussehen ist gespeichert und öffentlich.',
  colours: 'Farben',
  theme: 'Farbschema',
  themes: { brick: 'Ziegel', forest: 'Wald', ocean: 'Meer', plum: 'Pflaume', honey: 'Honig', slate: 'Schiefer' },
  accentOwn: 'Eigene Akzentfarbe verwenden',
  accentOwnHint: 'Sonst hat die Website die Akzentfarbe des Farbschemas.',
  accent: 'Farbe',
  accentHint: 'Wird leicht angepasst, wo Text sonst nicht lesbar wäre.',
  sample: 'Beispiel',
  sampleButton: 'Schaltfläche',
  sampleLink: 'Link',
  sampleBadge: 'Label',
  logo: 'Logo',
  logoHint:
    'PNG, JPEG, WebP, GIF oder AVIF, höchstens 10 MB. Am besten quadratisch mit durchsichtigem Hintergrund, denn es wird auch zum Symbol der Website.',
  logoUpload: 'Logo hochladen',
  logoCurrent: 'Aktuelles Logo',
  logoRemove: 'Logo entfernen',
  logoUrl: 'Oder URL eines Logos',
  logoUrlHint: 'Ein Bild im Netz oder auf dieser Website. Nur ein hochgeladenes Logo wird zum Symbol der Website.',
  hero: 'Bild der Startseite',
  heroHint: 'Steht oben auf der Startseite. Am besten ein Querformat mit mindestens 1.200 Pixeln Breite.',
  heroUpload: 'Bild hochladen',
  heroCurrent: 'Aktuelles Bild',
  heroRemove: 'Bild entfernen',
  heroAlt: { en: 'Alternativtext auf Englisch', de: 'Alternativtext auf Deutsch' },
  heroAltHint: 'Beschreibt das Bild für Menschen, die es nicht sehen. Bleibt leer, wenn es nur schmückt.',
  social: 'Soziale Netzwerke',
  socialLinks: 'Adressen Ihrer Profile',
  socialLinksHint: 'Eine https-Adresse je Zeile, höchstens 10. Erscheinen als Symbole in der Fußzeile.'
}

export const appearanceStrings: Record<Language, AppearanceStrings> = { en, de }
