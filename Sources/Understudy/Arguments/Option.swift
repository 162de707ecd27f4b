/// One option of the command line, and its twin in the environment: `--port 9000` and `UNDERSTUDY_PORT=9000`.
struct Option: Sendable, Equatable {
    enum Shape: Sendable, Equatable {
        /// Given or not given.
        case flag
        /// One value; the last one given counts.
        case one
        /// Any number of values; in the environment they stand in one text with this character between them.
        case many(separator: Character)
    }

    /// Without the dashes: `public-url`.
    let name: String
    /// One dash and this letter mean the same.
    var short: Character?
    var shape: Shape
    /// What the value is called in usage lines: `PORT`; empty for a flag.
    let placeholder: String
    /// What holds when nothing is given, as people read it.
    var fallback: String?
    /// What the twin in the environment is named after, where that is not the option's own name.
    var twin: String?
    /// One sentence, without a full stop at its end.
    let help: String

    static func flag(_ name: String, _ help: String) -> Option {
        Option(name: name, shape: .flag, placeholder: "", help: help)
    }

    static func one(
        _ name: String, _ placeholder: String, short: Character? = nil, default fallback: String? = nil,
        _ help: String
    ) -> Option {
        Option(
            name: name, short: short, shape: .one, placeholder: placeholder, fallback: fallback, help: help)
    }

    static func many(
        _ name: String, _ placeholder: String, separator: Character, default fallback: String? = nil,
        _ help: String
    ) -> Option {
        Option(
            name: name, shape: .many(separator: separator), placeholder: placeholder, fallback: fallback,
            help: help)
    }

    /// The twin's name: `UNDERSTUDY_PUBLIC_URL`.
    var environmentName: String {
        Self.environmentPrefix + (twin ?? name).uppercased().replacing("-", with: "_")
    }

    static let environmentPrefix = "UNDERSTUDY_"

    var isFlag: Bool { shape == .flag }

    /// The same option under another name in the environment, where commands mean different things by it.
    func twin(_ name: String) -> Option {
        var option = self
        option.twin = name
        return option
    }

    /// As help shows it: `--fixtures PATH…`, `-o, --output FILE`.
    var usage: String {
        let dashed = short.map { "-\($0), --\(name)" } ?? "--\(name)"
        switch shape {
        case .flag: return dashed
        case .one: return dashed + " " + placeholder
        case .many: return dashed + " " + placeholder + "…"
        }
    }
}
