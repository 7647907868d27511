/** Something that a person decides: nothing behind it can be reached, Escape leaves it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { Trouble } from "./basics.tsx";

interface DialogProps {
  readonly title: string;
  /** Of the order. */
  readonly error: ApiError | null;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, error, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
      <Trouble error={error} />
      <form method="dialog" class="foot">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

/** Carries an order out, once at a time. */
export function useOrder() {
  const [error, setError] = useState<ApiError | null>(null);
  const [isDoing, setIsDoing] = useState(false);
  const order = async (act: () => Promise<void>): Promise<void> => {
    setError(null);
    setIsDoing(true);
    try {
      await act();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setIsDoing(false);
    }
  };
  return { error, isDoing, order };
}
