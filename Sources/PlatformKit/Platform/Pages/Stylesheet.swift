/// The one style sheet of these pages. Pairs of text and ground keep a contrast of 4.5 in both schemes.
enum Stylesheet {
    static let text = """
        :root { color-scheme: light dark; --ground: #f3f4f1; --sheet: #fff; --ink: #1a1f22; --soft: #545e65;
          --line: #868f90; --accent: #0b5f6b; --on-accent: #fff; --bad: #a33a12; --tint: #fbf0e6; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #0f1315; --sheet: #171c1f; --ink: #e3e8ea; --soft: #9eabb2; --line: #66747c;
            --accent: #74c9d5; --on-accent: #06181b; --bad: #f0a36b; --tint: #241b14; }
        }
        *, ::before, ::after { box-sizing: border-box; }
        body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
          font: 1rem/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
        main { max-width: 28rem; margin: 1rem auto; padding: 1.25rem; background: var(--sheet);
          border: 1px solid var(--line); border-radius: 8px; }
        footer { max-width: 28rem; margin: auto; color: var(--soft); font-size: .875rem; text-align: center; }
        h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; }
        h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
        p, ul, dl { margin: 0 0 .75rem; }
        a { color: var(--accent); }
        img { display: block; max-width: 100%; max-height: 4rem; margin-bottom: .75rem; }
        label { display: block; margin: .75rem 0 .25rem; }
        input[type=text], input[type=password], textarea { width: 100%; padding: .6rem; font: inherit; color: inherit;
          background: var(--ground); border: 1px solid var(--line); border-radius: 6px; }
        button { display: block; width: 100%; min-height: 2.75rem; margin: .5rem 0 0; padding: .5rem .75rem;
          font: inherit; text-align: left; color: var(--ink); background: var(--ground);
          border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
        button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent);
          text-align: center; margin-top: 1rem; }
        a.main { display: block; min-height: 2.75rem; margin-top: 1rem; padding: .5rem .75rem; text-align: center;
          text-decoration: none; color: var(--on-accent); background: var(--accent); border-radius: 6px; }
        button[value=deny], button[value=cancel], button[value=other], details button { text-align: center; }
        textarea { resize: vertical; font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
        details { margin: 1.25rem 0 .75rem; }
        summary { min-height: 1.5rem; color: var(--accent); cursor: pointer; }
        details .soft { margin: .25rem 0 0; }
        button small { display: block; color: var(--soft); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        form + p { margin-top: 1rem; }
        .soft { color: var(--soft); font-size: .875rem; }
        .soft a { margin-right: .75rem; }
        main > :last-child { margin-bottom: 0; }
        .error { padding: .6rem .75rem; color: var(--bad); background: var(--tint); border-left: 4px solid; }
        code { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
        iframe { display: none; }
        """
}
