import type { Language } from '#platform/language.ts'

/** Account changes that wait for confirmation by a second person. */
const en = {
  title: 'Changes that need a second person',
  none: 'No change of an account waits for a second person.',
  what: {
    campaign_account: (campaign: string) => `Another account for “${campaign}”`,
    site_account: () => 'Another account for new campaigns',
    turn_off: () => 'Change accounts without a second person'
  },
  waiting: (who: string, at: string) => `Waits for a second person. Requested by ${who} on ${at}.`,
  waitingFor: (iban: string, who: string, at: string) =>
    `The new account ${iban} waits for a second person. Requested by ${who} on ${at}. Until it is confirmed, nothing changes.`,
  waitingToTurnOff: (who: string, at: string) =>
    `That accounts are changed without a second person waits for one itself. Requested by ${who} on ${at}.`,
  decide: 'Confirm or reject',
  toWithdraw: 'Withdraw the request',
  look: 'Look at it',
  before: 'Account until now',
  after: 'New account',
  holder: 'Account holder',
  holderStays: 'stays the same',
  bank: 'Bank',
  askedBy: 'Requested by',
  askedAt: 'Requested on',
  ends: 'Ends by itself on',
  campaign: 'Campaign',
  noAccount: 'none',
  notValid: 'The check digits of this IBAN are wrong.',
  ask: 'Confirm only what you know about. Compare the new IBAN, character by character, with the paper of the bank. If you are unsure, ask the person yourself, not by e-mail.',
  askToTurnOff:
    'After that, one person alone can change where the money goes. Confirm it only if you have agreed on it.',
  own: 'You have requested this yourself, so somebody else has to confirm it: a treasurer or an admin.',
  others: 'A treasurer or an admin has to confirm it.',
  confirm: { account: 'Confirm this account', turnOff: 'Confirm' },
  reject: 'Reject',
  withdraw: 'Withdraw',
  back: 'Back',
  confirmed: {
    account: 'Confirmed: the new account is in use from now on.',
    turnOff: 'Confirmed: no second person is needed any more.'
  },
  rejected: 'Rejected. Nothing was changed.',
  withdrawn: 'The request is withdrawn. Nothing was changed.',
  requested: 'Saved, except for the account: it waits for a second person, who has to confirm it.',
  requestedOnly: 'Saved, except for what a second person has to confirm: that waits now.',
  dashboard: (count: number) =>
    count === 1
      ? 'A change of an account waits for you as the second person.'
      : `${count} changes of accounts wait for you as the second person.`,
  formHint: 'A second person has to confirm another IBAN: a treasurer or an admin. The other fields are saved at once.',
  newHint:
    'A second person has to confirm another IBAN. So begin with an account that is in use already, and change it afterwards.',
  newRefused:
    'A second person has to confirm another IBAN. Please use an account that is in use already, and change it after saving.',
  setting: 'A second person confirms another IBAN',
  settingHint:
    'Whoever changes the account of a campaign, or this one, only requests it. It takes effect when another treasurer or admin has confirmed it. This protects you if somebody takes over a user account. It needs at least two people with the role treasurer or admin; turning it off needs a second person, too.'
}

export type AccountRequestStrings = typeof en

const de: AccountRequestStrings = {
  title: 'Änderungen, die eine zweite Person brauchen',
  none: 'Keine Änderung eines Kontos wartet auf eine zweite Person.',
  what: {
    campaign_account: campaign => `Anderes Konto für „${campaign}“`,
    site_account: () => 'Anderes Konto für neue Spendenaktionen',
    turn_off: () => 'Konten ohne zweite Person ändern'
  },
  waiting: (who, at) => `Wartet auf eine zweite Person. Beantragt von ${who} am ${at}.`,
  waitingFor: (iban, who, at) =>
    `Das neue Konto ${iban} wartet auf eine zweite Person. Beantragt von ${who} am ${at}. Bis es bestätigt ist, ändert sich nichts.`,
  waitingToTurnOff: (who, at) =>
    `Dass Konten ohne zweite Person geändert werden, wartet selbst auf eine. Beantragt von ${who} am ${at}.`,
  decide: 'Bestätigen oder ablehnen',
  toWithdraw: 'Antrag zurückziehen',
  look: 'Ansehen',
  before: 'Bisheriges Konto',
  after: 'Neues Konto',
  holder: 'Kontoinhaber',
  holderStays: 'bleibt gleich',
  bank: 'Bank',
  askedBy: 'Beantragt von',
  askedAt: 'Beantragt am',
  ends: 'Endet von selbst am',
  campaign: 'Spendenaktion',
  noAccount: 'keines',
  notValid: 'Die Prüfziffern dieser IBAN stimmen nicht.',
  ask: 'Bestätigen Sie nur, wovon Sie wissen. Vergleichen Sie die neue IBAN Zeichen für Zeichen mit den Unterlagen der Bank. Im Zweifel fragen Sie die Person selbst, nicht per E-Mail.',
  askToTurnOff:
    'Danach kann eine Person allein ändern, wohin das Geld geht. Bestätigen Sie nur, wenn das so vereinbart ist.',
  own: 'Sie haben das selbst beantragt. Bestätigen muss es jemand anders: Kasse oder Administration.',
  others: 'Bestätigen muss es die Kasse oder die Administration.',
  confirm: { account: 'Dieses Konto bestätigen', turnOff: 'Bestätigen' },
  reject: 'Ablehnen',
  withdraw: 'Zurückziehen',
  back: 'Zurück',
  confirmed: {
    account: 'Bestätigt: Ab jetzt gilt das neue Konto.',
    turnOff: 'Bestätigt: Eine zweite Person ist nicht mehr nötig.'
  },
  rejected: 'Abgelehnt. Nichts wurde geändert.',
  withdrawn: 'Der Antrag ist zurückgezogen. Nichts wurde geändert.',
  requested: 'Gespeichert, bis auf das Konto: Es wartet auf eine zweite Person, die es bestätigen muss.',
  requestedOnly: 'Gespeichert, bis auf das, was eine zweite Person bestätigen muss: Das wartet jetzt.',
  dashboard: count =>
    count === 1
      ? 'Eine Änderung eines Kontos wartet auf Sie als zweite Person.'
      : `${count} Änderungen von Konten warten auf Sie als zweite Person.`,
  formHint:
    'Eine andere IBAN muss eine zweite Person bestätigen: Kasse oder Administration. Die übrigen Felder werden sofort gespeichert.',
  newHint:
    'Eine andere IBAN muss eine zweite Person bestätigen. Beginnen Sie deshalb mit einem Konto, das schon in Gebrauch ist, und ändern Sie es danach.',
  newRefused:
    'Eine andere IBAN muss eine zweite Person bestätigen. Bitte verwenden Sie ein Konto, das schon in Gebrauch ist, und ändern Sie es nach dem Speichern.',
  setting: 'Eine zweite Person bestätigt jede andere IBAN',
  settingHint:
    'Wer das Konto einer Spendenaktion oder dieses hier ändert, beantragt es nur. Es gilt, sobald eine andere Person aus Kasse oder Administration es bestätigt hat. Das schützt Sie, wenn jemand einen Zugang übernimmt. Nötig sind mindestens zwei Personen mit der Rolle Kasse oder Administration; auch das Ausschalten braucht eine zweite Person.'
}

export const accountRequestStrings: Record<Language, AccountRequestStrings> = { en, de }
