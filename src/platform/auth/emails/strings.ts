import type { Language } from '../../language.ts'

interface EmailFields {
  name: string
  siteName: string
  link: string
  /** The name of the single sign-on provider. */
  provider: string
}

type RenderStrings = (fields: EmailFields) => { subject: string; text: string[] }

/** Texts of the e-mails about accounts. */
export const accountEmailStrings: Record<
  Language,
  Record<'invitation' | 'passwordReset' | 'resetLinkMade' | 'passwordChanged' | 'identityLinked', RenderStrings>
> = {
  en: {
    invitation: ({ name, siteName, link }) => ({
      subject: `You are invited to ${siteName}`,
      text: [
        `Hello ${name},`,
        `You are invited to help run the site of ${siteName}. Choose a password here and you are signed in:`,
        link,
        'The link works once, and for 7 days. If you did not expect this invitation, you can ignore it.',
        siteName
      ]
    }),
    passwordReset: ({ name, siteName, link }) => ({
      subject: `Choose a new password for ${siteName}`,
      text: [
        `Hello ${name},`,
        'A new password was requested for your user account. If it was you, choose one here:',
        link,
        'The link works once, and for one hour. If it was not you, ignore this email: your password is not changed.',
        siteName
      ]
    }),
    resetLinkMade: ({ name, siteName, link }) => ({
      subject: `An admin created a link to reset your password (${siteName})`,
      text: [
        `Hello ${name},`,
        'An admin created a link to choose a new password and will pass it on to you. It works for 24 hours.',
        'If you did not ask for it, contact your admins: anyone who has the link can sign in as you.',
        link,
        siteName
      ]
    }),
    passwordChanged: ({ name, siteName, link }) => ({
      subject: `Your password was changed (${siteName})`,
      text: [
        `Hello ${name},`,
        'Your password was changed with a reset link, and you were signed out everywhere.',
        'If it was not you, tell your admins at once.',
        link,
        siteName
      ]
    }),
    identityLinked: ({ name, siteName, link, provider }) => ({
      subject: `Your user account was linked with ${provider} (${siteName})`,
      text: [
        `Hello ${name},`,
        `You signed in with ${provider}. Your user account is now linked with your account there, and you can always sign in that way. Your password is not changed.`,
        'If it was not you, tell your admins at once.',
        link,
        siteName
      ]
    })
  },
  de: {
    invitation: ({ name, siteName, link }) => ({
      subject: `Einladung zu ${siteName}`,
      text: [
        `Guten Tag ${name},`,
        `Sie sind eingeladen, die Website von ${siteName} mit zu betreuen. Wählen Sie hier ein Passwort, dann sind Sie angemeldet:`,
        link,
        'Der Link gilt einmal und sieben Tage lang. Wenn Sie diese Einladung nicht erwartet haben, brauchen Sie nichts zu tun.',
        siteName
      ]
    }),
    passwordReset: ({ name, siteName, link }) => ({
      subject: `Neues Passwort für ${siteName}`,
      text: [
        `Guten Tag ${name},`,
        'für Ihren Zugang wurde ein neues Passwort angefordert. Wenn Sie das waren, wählen Sie es hier:',
        link,
        'Der Link gilt einmal und eine Stunde lang. Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
        siteName
      ]
    }),
    resetLinkMade: ({ name, siteName, link }) => ({
      subject: `Link zum Zurücksetzen Ihres Passworts erstellt (${siteName})`,
      text: [
        `Guten Tag ${name},`,
        'die Administration hat einen Link erstellt, mit dem Sie ein neues Passwort wählen können, und gibt ihn an Sie weiter. Er gilt 24 Stunden.',
        'Wenn Sie nicht darum gebeten haben, sprechen Sie mit Ihrer Administration: Wer den Link hat, kann sich als Sie anmelden.',
        link,
        siteName
      ]
    }),
    passwordChanged: ({ name, siteName, link }) => ({
      subject: `Ihr Passwort wurde geändert (${siteName})`,
      text: [
        `Guten Tag ${name},`,
        'Ihr Passwort wurde über einen Link zum Zurücksetzen geändert, und Sie wurden überall abgemeldet.',
        'Wenn Sie das nicht waren, sagen Sie es sofort Ihrer Administration.',
        link,
        siteName
      ]
    }),
    identityLinked: ({ name, siteName, link, provider }) => ({
      subject: `Ihr Zugang wurde mit ${provider} verknüpft (${siteName})`,
      text: [
        `Guten Tag ${name},`,
        `Sie haben sich mit ${provider} angemeldet. Ihr Zugang ist jetzt mit Ihrem Konto dort verknüpft, und Sie können sich immer so anmelden. Ihr Passwort bleibt, wie es ist.`,
        'Wenn Sie das nicht waren, sagen Sie es sofort Ihrer Administration.',
        link,
        siteName
      ]
    })
  }
}
