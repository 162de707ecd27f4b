package import Essentials

/// Something that a platform keeps for longer than a transaction and that a developer wants to look at and change: a user, a device, a
/// credential, a session. Console and control API show it without knowing what it is.
package struct ConsoleRecord: Sendable, Equatable {
    /// A line of what is known, in plain text.
    package struct Fact: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Something that can be done to it now.
    package struct Action: Sendable, Equatable {
        /// Lower case, as addresses spell it: `block`.
        package let name: String
        /// What the button says: `Block`.
        package let title: String
        /// What it asks for.
        package let inputs: [Input]
        /// Whether it cannot be undone.
        package let isFinal: Bool

        package init(_ name: String, _ title: String, inputs: [Input] = [], isFinal: Bool = false) {
            (self.name, self.title, self.inputs, self.isFinal) = (name, title, inputs, isFinal)
        }
    }

    /// A field of a form.
    package struct Input: Sendable, Equatable {
        /// Lower case, as JSON spells it: `blocked_reason`.
        package let name: String
        package let title: String
        package let isRequired: Bool
        /// Values to choose from; empty when anything goes.
        package let choices: [String]
        /// What stands there at first.
        package let preset: String
        /// Whether it may have several lines.
        package let isLong: Bool

        package init(
            _ name: String, _ title: String, isRequired: Bool = false, choices: [String] = [],
            preset: String = "", isLong: Bool = false
        ) {
            (self.name, self.title, self.isRequired) = (name, title, isRequired)
            (self.choices, self.preset, self.isLong) = (choices, preset, isLong)
        }
    }

    /// A change of state, with the world's time.
    package struct Step: Sendable, Equatable {
        package let state: String
        package let at: Date

        package init(_ state: String, at: Date) {
            self.state = state
            self.at = at
        }
    }

    package var id: String
    /// Name of the platform that it belongs to; ``RecordKind`` says it, as the kind.
    package var platform: String
    /// What it is, as the platform calls it: `registration`, `credential`.
    package var kind: String
    package var title: String
    /// Whose it is; nil when it is nobody's.
    package var user: String?
    /// As the platform spells it.
    package var state: String
    package var createdAt: Date
    package var facts: [Fact]
    /// What its QR code says; nil when it has none.
    package var code: String?
    package var actions: [Action]
    /// Oldest first.
    package var steps: [Step]

    package init(
        id: String, platform: String = "", kind: String = "", title: String, user: String?, state: String,
        createdAt: Date, facts: [Fact] = [], code: String? = nil, actions: [Action] = [],
        steps: [Step] = []
    ) {
        (self.id, self.platform, self.kind, self.title, self.user) = (id, platform, kind, title, user)
        (self.state, self.createdAt, self.facts, self.code) = (state, createdAt, facts, code)
        (self.actions, self.steps) = (actions, steps)
    }
}

/// A kind of record or of transaction that can be made from outside, and what that asks for.
package struct NewRecord: Sendable, Equatable {
    /// The ``ConsoleRecord/kind`` or ``Transaction/kind`` of what comes of it.
    package let kind: String
    /// What the button says: `Start a registration`.
    package let title: String
    package let inputs: [ConsoleRecord.Input]

    package init(kind: String, title: String, inputs: [ConsoleRecord.Input]) {
        (self.kind, self.title, self.inputs) = (kind, title, inputs)
    }
}
