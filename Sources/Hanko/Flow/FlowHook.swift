/// What happens each time before a state is shown: on reaching it, on `back`, and again with an error.
///
/// One hook is one `static let` in a file of its own under `Hooks/`; ``FlowState/hooks`` says where it belongs. A hook that must not
/// repeat itself with an error looks at ``FlowTurn/mishap``; one that cannot do its work sets it.
struct FlowHook: Sendable {
    let run: @Sendable (inout FlowTurn) throws -> Void

    init(_ run: @escaping @Sendable (inout FlowTurn) throws -> Void) { self.run = run }
}
