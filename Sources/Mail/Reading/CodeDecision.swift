/// What was decided of one piece of text that is written like a code, and why.
package struct CodeDecision: Sendable, Equatable {
    package enum Part: String, Sendable { case subject, text, html }

    package enum Reason: Sendable, Equatable {
        /// A word that names codes stands before it or behind it, so many words away.
        case named(String, before: Bool, words: Int)
        case otherNumber(String)
        case alone, bound, unnamed, farFromName, isYear
        case price, phone, time, numberOrDate, dateOrPhone, identifier, address, masked, colour, year,
            tooLong, unit, shouted

        /// The end of a sentence that begins with the code.
        package var sentence: String {
            switch self {
            case .named(let word, let before, let words):
                "“\(word)” stands \(words == 0 ? "right" : words == 1 ? "one word" : "\(words) words") \(before ? "before" : "behind") it"
            case .otherNumber(let word): "“\(word)” names it as another number"
            case .alone: "it stands alone on its line"
            case .bound: "it is bound to a web site (@host #code)"
            case .unnamed: "no word near it names a code"
            case .farFromName: "the word that names a code is too far away"
            case .isYear: "it looks like a year"
            case .price: "it looks like a price or a share"
            case .phone: "it looks like a telephone or card number"
            case .time: "it looks like a time"
            case .numberOrDate: "it is a part of a longer number or a date"
            case .dateOrPhone: "it looks like a date, a telephone number or an identifier"
            case .identifier: "it is a part of an identifier"
            case .address: "it is a part of an address"
            case .masked: "it is the end of a masked number"
            case .colour: "it looks like a colour or a number sign"
            case .year: "it stands behind a copyright sign"
            case .tooLong: "it is longer than ten digits"
            case .unit: "a unit stands behind it"
            case .shouted: "it is a word in capitals"
            }
        }
    }

    /// As it is typed.
    package let code: String
    package let part: Part
    /// The words around it, and it.
    package let context: String
    package let isCode: Bool
    /// The higher, the surer; codes have ``CodeFinder/least`` and more.
    package let score: Int
    package let reasons: [Reason]
}
