import type { Language } from '#platform/language.ts'

/** Single sign-on: signing in at an OpenID provider. */
const en = {
  signIn: (provider: string) => `Sign in with ${provider}`,
  leaving: (provider: string) => `On to ${provider}`,
  leavingText: (provider: string) => `You sign in at ${provider} and come back here. You are redirected automatically.`,
  go: (provider: string) => `Continue to ${provider}`,
  failedTitle: 'Sign in',
  failed: 'That did not work',
  expired:
    'This sign-in took too long, is already complete, or was started in another browser or at another URL of this site. Please sign in again.',
  back: 'Back to the sign-in page',
  section: {
    title: 'Single sign-on',
    text: 'Your user account is linked with your account at:',
    none: (provider: string) =>
      `You can also sign in with ${provider}. The first time you do, your user account here is found by your email address and linked.`,
    since: (day: string) => `Linked since ${day}.`,
    lastUsed: (when: string) => `Last used ${when}.`,
    unlink: 'Unlink',
    unlinkTitle: 'Unlink single sign-on?',
    unlinkText:
      'The link with your account at the provider is removed. Your password is not changed. If you sign in there again with the same email address, your user account is linked again.',
    unlinked: 'Single sign-on has been unlinked.'
  },
  person: {
    link: 'Unlink single sign-on',
    title: (name: string) => `Unlink the single sign-on of ${name}?`,
    text: 'The link with their account at the provider is removed. The password is not changed. If they sign in there again with the same email address, their user account is linked again.',
    hasNone: (name: string) => `The user account of ${name} is not linked with a provider.`,
    unlinked: (name: string) => `The single sign-on of ${name} has been unlinked.`
  }
}

type OpenIdWords = typeof en

const de: OpenIdWords = {
  signIn: provider => `Mit ${provider} anmelden`,
  leaving: provider => `Weiter zu ${provider}`,
  leavingText: provider =>
    `Sie melden sich bei ${provider} an und kommen dann hierher zurück. Sie werden automatisch weitergeleitet.`,
  go: provider => `Weiter zu ${provider}`,
  failedTitle: 'Anmelden',
  failed: 'Das hat nicht geklappt',
  expired:
    'Diese Anmeldung hat zu lange gedauert, ist schon abgeschlossen oder wurde in einem anderen Browser oder unter einer anderen URL dieser Website begonnen. Bitte melden Sie sich neu an.',
  back: 'Zurück zur Anmeldung',
  section: {
    title: 'Single Sign-on',
    text: 'Ihr Zugang ist verknüpft mit Ihrem Konto bei:',
    none: provider =>
      `Sie können sich auch mit ${provider} anmelden. Beim ersten Mal wird Ihr Zugang hier über Ihre E-Mail-Adresse gefunden und verknüpft.`,
    since: day => `Verknüpft seit ${day}.`,
    lastUsed: when => `Zuletzt benutzt ${when}.`,
    unlink: 'Verknüpfung lösen',
    unlinkTitle: 'Single Sign-on lösen?',
    unlinkText:
      'Die Verknüpfung mit Ihrem Konto beim Anbieter wird entfernt. Ihr Passwort wird nicht geändert. Wenn Sie sich dort wieder mit derselben E-Mail-Adresse anmelden, wird Ihr Zugang wieder verknüpft.',
    unlinked: 'Die Verknüpfung für Single Sign-on wurde gelöst.'
  },
  person: {
    link: 'Single Sign-on lösen',
    title: name => `Single Sign-on von ${name} lösen?`,
    text: 'Die Verknüpfung mit dem Konto beim Anbieter wird entfernt. Das Passwort wird nicht geändert. Wenn sich die Person dort wieder mit derselben E-Mail-Adresse anmeldet, wird ihr Zugang wieder verknüpft.',
    hasNone: name => `Der Zugang von ${name} ist mit keinem Anbieter verknüpft.`,
    unlinked: name => `Das Single Sign-on von ${name} wurde gelöst.`
  }
}

export const openIdStrings: Record<Language, OpenIdWords> = { en, de }
