import type { ComponentChildren } from 'preact'
import type { AdminContext, AdminPage } from './context.ts'
import { Form } from './form.tsx'

/** Asks for confirmation of an action that cannot be undone: a page, not a dialog. */
export function buildConfirmPage(
  context: AdminContext,
  question: {
    title: string
    text: string
    menu: string
    action: string
    yes: string
    no: { label: string; href: string }
    refused?: string | undefined
    /** Why it was refused, with a link to the obstacle. */
    obstacle?: ComponentChildren
    /** Further fields of the form. */
    fields?: ComponentChildren
  }
): AdminPage {
  return {
    title: question.title,
    menu: question.menu,
    status: question.refused === undefined && question.obstacle === undefined ? 200 : 409,
    body: (
      <div class="narrow">
        {question.refused === undefined ? null : (
          <p class="notice bad" role="alert">
            {question.refused}
          </p>
        )}
        {question.obstacle}
        <p class="lead">{question.text}</p>
        <Form context={context} action={question.action}>
          {question.fields}
          <div class="actions">
            <button type="submit" class="danger">
              {question.yes}
            </button>
            <a class="button quiet" href={question.no.href}>
              {question.no.label}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}
