import type { ConsolePage, Desk } from './console.ts'
import { Form } from './form.tsx'

/** Asks once before something that cannot be undone: a page, not a dialog. */
export function questionPage(
  desk: Desk,
  question: {
    title: string
    text: string
    menu: string
    action: string
    yes: string
    no: { label: string; href: string }
    refused?: string | undefined
  }
): ConsolePage {
  return {
    title: question.title,
    menu: question.menu,
    status: question.refused === undefined ? 200 : 409,
    body: (
      <div class="narrow">
        {question.refused === undefined ? null : (
          <p class="notice bad" role="alert">
            {question.refused}
          </p>
        )}
        <p class="lead">{question.text}</p>
        <Form desk={desk} action={question.action} class="actions">
          <button type="submit" class="danger">
            {question.yes}
          </button>
          <a class="button quiet" href={question.no.href}>
            {question.no.label}
          </a>
        </Form>
      </div>
    )
  }
}
