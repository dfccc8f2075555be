import type { Language } from '#platform/language.ts'

/** Account changes that wait for confirmation by a second person. */
const en = {
  title: 'Changes that need a second person',
  none: 'No account change is waiting for a second person.',
  what: {
    campaign_account: (campaign: string) => `Another account for “${campaign}”`,
    site_account: () => 'Another account for new campaigns',
    turn_off: () => 'Change accounts without a second person'
  },
  waiting: (who: string, at: string) => `Waiting for a second person. Requested by ${who} on ${at}.`,
  waitingFor: (iban: string, who: string, at: string) =>
    `The new account ${iban} is waiting for a second person. Requested by ${who} on ${at}. Nothing changes until it is confirmed.`,
  waitingToTurnOff: (who: string, at: string) =>
    `Turning off the second person is waiting for confirmation. Requested by ${who} on ${at}.`,
  decide: 'Confirm or reject',
  toWithdraw: 'Withdraw the request',
  look: 'View',
  before: 'Current account',
  after: 'New account',
  holder: 'Account holder',
  holderStays: 'unchanged',
  bank: 'Bank',
  askedBy: 'Requested by',
  askedAt: 'Requested on',
  ends: 'Expires on',
  campaign: 'Campaign',
  noAccount: 'none',
  notValid: 'The check digits of this IBAN are wrong.',
  ask: 'Confirm only what you know about. Compare the new IBAN, character by character, with the documents of the bank. If you are unsure, ask the person yourself, not by email.',
  askToTurnOff:
    'After that, one person alone can change where the money goes. Confirm it only if you have agreed on it.',
  own: 'You requested this yourself. Another treasurer or admin has to confirm it.',
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
  withdrawn: 'Request withdrawn. Nothing was changed.',
  requested: 'Saved, except for the account: a second person has to confirm it first.',
  requestedOnly: 'Saved, except for the change that a second person has to confirm first.',
  dashboard: (count: number) =>
    count === 1
      ? 'An account change is waiting for your confirmation.'
      : `${count} account changes are waiting for your confirmation.`,
  formHint: 'A second person has to confirm another IBAN: a treasurer or an admin. The other fields are saved at once.',
  newHint:
    'A second person has to confirm another IBAN. So begin with an account that is in use already, and change it afterwards.',
  newRefused:
    'A second person has to confirm another IBAN. Please use an account that is in use already, and change it after saving.',
  setting: 'A second person confirms another IBAN',
  settingHint:
    'A change of this account or the account of a campaign takes effect when another treasurer or admin has confirmed it. This protects you if a user account is taken over. It needs at least two people with the role treasurer or admin; turning it off needs a second person, too.'
}

export type AccountRequestStrings = typeof en

const de: AccountRequestStrings = {
  title: 'Änderungen, die eine zweite Person brauchen',
  none: 'Keine Kontoänderung wartet auf eine zweite Person.',
  what: {
    campaign_account: campaign => `Anderes Konto für „${campaign}“`,
    site_account: () => 'Anderes Konto für neue Spendenaktionen',
    turn_off: () => 'Konten ohne zweite Person ändern'
  },
  waiting: (who, at) => `Wartet auf eine zweite Person. Beantragt am ${at} (${who}).`,
  waitingFor: (iban, who, at) =>
    `Das neue Konto ${iban} wartet auf eine zweite Person. Beantragt am ${at} (${who}). Bis es bestätigt ist, ändert sich nichts.`,
  waitingToTurnOff: (who, at) =>
    `Das Ausschalten der zweiten Person wartet auf Bestätigung. Beantragt am ${at} (${who}).`,
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
  ends: 'Läuft ab am',
  campaign: 'Spendenaktion',
  noAccount: 'keines',
  notValid: 'Die Prüfziffern dieser IBAN stimmen nicht.',
  ask: 'Bestätigen Sie nur, wovon Sie wissen. Vergleichen Sie die neue IBAN Zeichen für Zeichen mit den Unterlagen der Bank. Im Zweifel fragen Sie die Person selbst, nicht per E-Mail.',
  askToTurnOff:
    'Danach kann eine Person allein ändern, wohin das Geld geht. Bestätigen Sie nur, wenn das so vereinbart ist.',
  own: 'Sie haben das selbst beantragt. Bestätigen muss es eine andere Person mit der Rolle „Kasse“ oder „Administration“.',
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
  withdrawn: 'Antrag zurückgezogen. Nichts wurde geändert.',
  requested: 'Gespeichert, bis auf das Konto: Das muss zuerst eine zweite Person bestätigen.',
  requestedOnly: 'Gespeichert, bis auf die Änderung, die zuerst eine zweite Person bestätigen muss.',
  dashboard: count =>
    count === 1
      ? 'Eine Kontoänderung wartet auf Ihre Bestätigung.'
      : `${count} Kontoänderungen warten auf Ihre Bestätigung.`,
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
