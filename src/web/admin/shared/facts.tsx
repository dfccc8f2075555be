import type { ComponentChildren } from 'preact'

/** One fact in a list of facts (`<dl class="facts">`). */
export function FactRow({ label, look, children }: { label: string; look?: string; children: ComponentChildren }) {
  return (
    <div class={look}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The value of a fact that is not known. */
export function None() {
  return <span class="muted">–</span>
}
