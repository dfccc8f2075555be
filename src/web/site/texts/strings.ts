import type { Language } from '#platform/language.ts'

/** A section of a built-in text. */
export interface Section {
  title: string
  paragraphs: string[]
}

const en = {
  onlyOther: 'This text is available in German only.',
  about: {
    title: 'About us',
    missing: (name: string) => `${name} has not added a description yet. See the calendar for events.`
  },
  imprint: {
    title: 'Legal notice',
    missing: (name: string) => `${name} has not published its legal notice yet.`,
    write: 'If you have a question about this site, please write to:'
  },
  privacy: {
    title: 'Privacy',
    lead: 'This site collects as little data as possible. This is how we process your data.',
    sections: [
      {
        title: 'When you read',
        paragraphs: [
          'There is no tracking here: no statistics service, no advertising, no buttons of social networks. Scripts, styles and fonts come from this site itself, and the public pages set no cookies.',
          'Your browser sends our server the URL that you open and your IP address; without them no page could be sent. The server logs which page was requested, when, and whether it worked, but not by whom. To prevent overload attacks it counts for one minute, in memory only, how many requests come from an IP address.',
          'A description may show an image from another website. Your browser then loads it from there.'
        ]
      },
      {
        title: 'When you subscribe to the calendar',
        paragraphs: [
          'Your calendar program fetches the dates from us at regular intervals. We do not store who subscribes. If you use Google Calendar or Outlook, these services know about your subscription.',
          'Links to maps and to calendar services lead to other websites. Nothing goes there until you follow them.'
        ]
      },
      {
        title: 'When you donate',
        paragraphs: [
          'We store what you enter in the form: the amount, your name and, where you give them, your email address, your message, your postal address for the receipt, and your account for a direct debit. We also store the time, the language of the page, and the words of the consent that you gave.',
          'We need this to match your transfer, to thank you and to issue a receipt. Only those who handle donations see it. The campaign page shows the amount, the time and, when we have read it, your message; your name appears there only if you wish so. Your bank account is never shown.',
          'We keep donations for as long as tax law requires.'
        ]
      },
      {
        title: 'When you suggest an event',
        paragraphs: [
          'We store what you enter in the form: the event, your email address, and your name and your message if you give them. We need that to check the suggestion and to ask you about it. Only those who edit the calendar see who sent it.',
          'After the decision your data is erased automatically, by default after 90 days. A suggestion that you do not confirm is deleted after 48 hours.'
        ]
      },
      {
        title: 'When you sign in',
        paragraphs: [
          'People who run this site sign in with their email address and a password. One cookie stores the session; it is required for that and has no other purpose. What they change is recorded with their name and the time.'
        ]
      },
      {
        title: 'Your rights',
        paragraphs: [
          'You may ask what we have stored about you, and have it corrected, erased, restricted or handed over to you; you may withdraw a consent at any time. You may also complain to a data protection authority. The legal bases are your consent and the handling of your donation (Article 6(1)(a) and (b) GDPR), our duty to keep records (c), and our interest in a site that works (f).'
        ]
      }
    ] as Section[],
    controller: 'The legal notice names who is responsible for this site.',
    write: 'Please write to:'
  }
}

export type TextPageStrings = typeof en

const de: TextPageStrings = {
  onlyOther: 'Diesen Text gibt es nur auf Englisch.',
  about: {
    title: 'Über uns',
    missing: name => `${name} hat noch keine Beschreibung hinterlegt. Termine finden Sie im Kalender.`
  },
  imprint: {
    title: 'Impressum',
    missing: name => `${name} hat das Impressum noch nicht ausgefüllt.`,
    write: 'Bei Fragen zu dieser Website schreiben Sie bitte an:'
  },
  privacy: {
    title: 'Datenschutz',
    lead: 'Diese Website erhebt so wenige Daten wie möglich. Das geschieht mit Ihren Daten.',
    sections: [
      {
        title: 'Wenn Sie lesen',
        paragraphs: [
          'Wir setzen kein Tracking ein: kein Statistikdienst, keine Werbung, keine Schaltflächen sozialer Netzwerke. Skripte, Gestaltung und Schriften kommen von dieser Website selbst, und die öffentlichen Seiten setzen keine Cookies.',
          'Ihr Browser sendet unserem Server die aufgerufene URL und Ihre IP-Adresse; anders könnte keine Seite ausgeliefert werden. Das Programm vermerkt, welche Seite wann abgerufen wurde und ob das gelang, aber nicht, von wem. Um Überlastungsangriffe abzuwehren, zählt es eine Minute lang und nur im Arbeitsspeicher, wie viele von einer IP-Adresse kommen.',
          'Eine Beschreibung kann ein Bild zeigen, das auf einer anderen Website liegt. Ihr Browser lädt es dann von dort.'
        ]
      },
      {
        title: 'Wenn Sie den Kalender abonnieren',
        paragraphs: [
          'Ihr Kalenderprogramm holt die Termine regelmäßig bei uns ab. Wer abonniert, speichern wir nicht. Nutzen Sie Google Kalender oder Outlook, so wissen diese Dienste von Ihrem Abo.',
          'Verweise auf Karten und Kalenderdienste führen zu anderen Websites. Dorthin gelangt nichts, solange Sie ihnen nicht folgen.'
        ]
      },
      {
        title: 'Wenn Sie spenden',
        paragraphs: [
          'Wir speichern, was Sie im Formular angeben: den Betrag, Ihren Namen und, soweit Sie sie nennen, Ihre E-Mail-Adresse, Ihre Nachricht, Ihre Anschrift für die Zuwendungsbestätigung und Ihr Konto für eine Lastschrift. Dazu kommen die Zeit, die Sprache der Seite und der Wortlaut der Einwilligung, die Sie gegeben haben.',
          'Wir brauchen das, um Ihre Überweisung zuzuordnen, Ihnen zu danken und die Bestätigung auszustellen. Nur wer bei uns Spenden betreut, sieht es. Die Seite der Spendenaktion zeigt Betrag, Zeit und, sobald wir sie gelesen haben, Ihre Nachricht; Ihr Name erscheint dort nur, wenn Sie es wünschen. Ihr Konto wird nie gezeigt.',
          'Wir bewahren Spenden so lange auf, wie es das Steuerrecht verlangt.'
        ]
      },
      {
        title: 'Wenn Sie einen Termin vorschlagen',
        paragraphs: [
          'Wir speichern, was Sie im Formular angeben: den Termin, Ihre E-Mail-Adresse und, soweit Sie sie nennen, Ihren Namen und Ihre Nachricht. Wir brauchen das, um den Vorschlag zu prüfen und nachzufragen. Nur wer den Kalender betreut, sieht, von wem der Vorschlag kommt.',
          'Nach der Entscheidung werden Ihre Daten automatisch gelöscht, wenn nichts anderes eingestellt ist nach 90 Tagen. Ein Vorschlag, den Sie nicht bestätigen, wird nach 48 Stunden gelöscht.'
        ]
      },
      {
        title: 'Wenn Sie sich anmelden',
        paragraphs: [
          'Wer diese Website betreut, meldet sich mit E-Mail-Adresse und Passwort an. Ein Cookie merkt sich die Anmeldung; es ist dafür nötig und dient sonst zu nichts. Änderungen werden mit Namen und Zeit festgehalten.'
        ]
      },
      {
        title: 'Ihre Rechte',
        paragraphs: [
          'Sie können Auskunft über Ihre gespeicherten Daten verlangen und sie berichtigen, löschen, einschränken oder sich aushändigen lassen; eine Einwilligung können Sie jederzeit widerrufen. Außerdem können Sie sich bei einer Datenschutzbehörde beschweren. Rechtsgrundlagen sind Ihre Einwilligung und die Abwicklung Ihrer Spende (Art. 6 Abs. 1 Buchst. a und b DSGVO), unsere Aufbewahrungspflichten (c) und unser Interesse an einer funktionierenden Website (f).'
        ]
      }
    ],
    controller: 'Wer für diese Website verantwortlich ist, finden Sie im Impressum.',
    write: 'Bitte schreiben Sie an:'
  }
}

export const textPageStrings: Record<Language, TextPageStrings> = { en, de }
