import Essentials
import HTTP
import PlatformKit

/// Looks at a world again whenever something has happened in it.
///
/// Whatever changes leaves an entry in the journal, except what time alone changes.
struct ChangeWatch: Sendable {
    let world: World

    /// In a busy world, not every entry is worth a look of everyone who waits: seconds from one to the next, at least.
    private static let pause = 0.02

    /// What `answer` makes of the first value that is found, within `seconds`.
    ///
    /// - Parameters:
    ///   - name: names what `all` finds, of which many who wait share one look.
    ///   - choose: what is waited for, of all that there is, or nil.
    func answer<All: Sendable, Value>(
        within seconds: Double, _ name: String, _ all: @escaping @Sendable () throws -> All,
        choose: @escaping @Sendable (All) throws -> Look<Value>,
        with answer: @escaping @Sendable (Value?) throws -> Response
    ) throws -> Response {
        let journal = world.journal
        return try journal.occasion().answer(within: seconds, pause: Self.pause) { mayShare in
            try choose(mayShare ? journal.shared(name, all) : all())
        } with: {
            try answer($0)
        }
    }
}
