import Essentials
import HTTP

/// Holds a recorded value beside those of two runs of ours.
///
/// What both runs say is meant so, and has to be what the recording says; what they say differently is made up anew each time, and only
/// has to be of one kind. Texts for people may say anything.
struct ValueComparison {
    private(set) var differences: [Difference] = []
    /// Kinds and places of them.
    private var told: Set<String> = []
    /// Tokens that were looked into already: one stands in a cookie and in the body.
    var tokens: Set<String> = []
    /// Makes addresses of the recording and of ours the same.
    let plain: (_ recorded: String) -> String
    let plainOurs: (_ ours: String) -> String

    init(plain: @escaping (String) -> String, plainOurs: @escaping (String) -> String) {
        (self.plain, self.plainOurs) = (plain, plainOurs)
    }

    mutating func add(
        _ kind: Difference.Kind, _ place: String, recorded: String = "", ours: String = "", _ sentence: String
    ) {
        guard told.insert(kind.rawValue + " " + place).inserted else { return }
        differences.append(Difference(kind, place, recorded: recorded, ours: ours, sentence))
    }

    /// - Parameters:
    ///   - second: of the other run; nil where it has none.
    ///   - place: such as `body user.id`.
    mutating func compare(
        _ recorded: SpelledJSON, _ ours: SpelledJSON, _ second: SpelledJSON?, at place: String
    ) {
        let name = Self.lastName(of: place)
        switch (recorded, ours) {
        case (.object(let there), .object(let here)): compareMembers(there, here, second, at: place)
        case (.array(let there), .array(let here)): compareElements(there, here, second?.array, at: place)
        case (.string(let there), .string(let here)):
            compare(there, here, second?.string, at: place, name: name)
        case (.number(let there), .number(let here)):
            compareNumbers(there, here, second, at: place, name: name)
        case (.boolean(let there), .boolean(let here)):
            if there != here, second == ours { addValue(place, "\(there)", "\(here)") }
        case (.null, .null): break
        case (.null, _):
            add(
                .null, place, recorded: "null", ours: Difference.short(ours.text),
                "\(place) is null in the recording, Understudy says \(Difference.short(ours.text))")
        case (_, .null):
            add(
                .null, place, recorded: Difference.short(recorded.text), ours: "null",
                "\(place) is \(Difference.short(recorded.text)) in the recording, Understudy says null")
        default:
            add(
                .type, place, recorded: recorded.kind, ours: ours.kind,
                "\(place) is \(recorded.kind) in the recording, \(ours.kind) from Understudy")
        }
    }

    private static func lastName(of place: String) -> String {
        let name = place.split(whereSeparator: { $0 == " " || $0 == "." }).last ?? ""
        return (name.hasSuffix("[]") ? name.dropLast(2) : name).asciiLowercased
    }

    private mutating func compareMembers(
        _ recorded: [SpelledJSON.Member], _ ours: [SpelledJSON.Member], _ second: SpelledJSON?,
        at place: String
    ) {
        let here = Dictionary(ours.map { ($0.name, $0.value) }) { $1 }
        let there = Dictionary(recorded.map { ($0.name, $0.value) }) { $1 }
        // Names that are made by chance, such as ids of entries, cannot be the same.
        func isMade(_ name: String) -> Bool { Shape.isMadeName(name) }
        for member in recorded where there[member.name] == member.value {
            let inner = Self.join(place, isMade(member.name) ? "*" : member.name)
            if let mine = here[member.name] {
                compare(member.value, mine, second?[member.name], at: inner)
            } else if !isMade(member.name) {
                addMissing(member.value, inner)
            }
        }
        for member in ours where there[member.name] == nil && !isMade(member.name) {
            // What one run of ours has and the other has not is there by chance.
            if let second, second[member.name] == nil { continue }
            addMore(member.value, Self.join(place, member.name))
        }
    }

    private static func join(_ place: String, _ name: String) -> String {
        place.contains(" ") ? place + "." + name : place + " " + name
    }

    private mutating func addMissing(_ value: SpelledJSON, _ place: String) {
        let text = Difference.short(value.text)
        if value == .null {
            add(
                .null, place, recorded: "null",
                "\(place) is null in the recording, and Understudy leaves it out")
        } else {
            add(.missing, place, recorded: text, "\(place) is missing: the recording has \(text)")
        }
    }

    private mutating func addMore(_ value: SpelledJSON, _ place: String) {
        let text = Difference.short(value.text)
        if value == .null {
            add(.null, place, ours: "null", "\(place) is left out in the recording, and null from Understudy")
        } else {
            add(.more, place, ours: text, "\(place) is not in the recording: Understudy says \(text)")
        }
    }

    mutating func addValue(_ place: String, _ recorded: String, _ ours: String) {
        add(
            .value, place, recorded: recorded, ours: ours,
            "\(place) is \(Difference.short(recorded)) in the recording, Understudy says \(Difference.short(ours))"
        )
    }
}
