import Essentials

/// One way in which an answer of ours is not that of the recording.
package struct Difference: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case status, header, cookie, type, missing, more, null, word, value, form, order, claim
        case notEmulated = "not emulated"
    }

    package let kind: Kind
    /// `status`, `header Cache-Control`, `cookie hanko`, `body user.id`, `claim sub`.
    package let place: String
    /// What each side says, shortened; empty where it says nothing.
    package let recorded: String
    package let ours: String
    /// Without a full stop at its end.
    package let sentence: String

    init(_ kind: Kind, _ place: String, recorded: String, ours: String, _ sentence: String) {
        (self.kind, self.place, self.sentence) = (kind, place, sentence)
        (self.recorded, self.ours) = (Self.short(recorded), Self.short(ours))
    }

    /// For a sentence: long values keep their beginning.
    static func short(_ text: String) -> String {
        text.beginning(79)
    }
}
