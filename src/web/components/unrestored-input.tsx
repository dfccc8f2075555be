/**
 * A value that the form sends along and the visitor does not see. Browsers restore old values of hidden fields on reload;
 * `autocomplete="off"` prevents it, and is not valid for `type="hidden"`.
 */
export function UnrestoredInput({ name, value }: { name: string; value?: string }) {
  return <input type="text" name={name} value={value} autocomplete="off" readOnly hidden />
}
