/// The sentences of a passcode mail in one language.
struct MailTexts: Sendable, Equatable {
    let subject: String
    let introduction: String
    let validity: String

    init(_ language: MailLanguage, code: String, serviceName: String, minutes: Int) {
        (subject, introduction, validity) =
            switch language {
            case .english:
                (
                    "\(code) is your passcode for \(serviceName)",
                    "Enter this passcode on the sign-in page of \(serviceName):",
                    "The passcode is valid for \(minutes) \(minutes == 1 ? "minute" : "minutes")."
                )
            case .german:
                (
                    "\(code) ist dein Passcode für \(serviceName)",
                    "Gib diesen Passcode auf der Anmeldeseite von \(serviceName) ein:",
                    "Der Passcode ist \(minutes) \(minutes == 1 ? "Minute" : "Minuten") lang gültig."
                )
            case .french:
                (
                    "\(code) est votre code d’accès pour \(serviceName)",
                    "Saisissez ce code d’accès sur la page de connexion de \(serviceName) :",
                    "Le code d’accès est valable \(minutes) \(minutes == 1 ? "minute" : "minutes")."
                )
            case .italian:
                (
                    "\(code) è il tuo codice di accesso per \(serviceName)",
                    "Inserisci questo codice nella pagina di accesso di \(serviceName):",
                    "Il codice è valido per \(minutes) \(minutes == 1 ? "minuto" : "minuti")."
                )
            case .dutch:
                (
                    "\(code) is je toegangscode voor \(serviceName)",
                    "Voer deze toegangscode in op de inlogpagina van \(serviceName):",
                    "De toegangscode is \(minutes) \(minutes == 1 ? "minuut" : "minuten") geldig."
                )
            case .brazilianPortuguese:
                (
                    "\(code) é o seu código de acesso para \(serviceName)",
                    "Digite este código na página de login de \(serviceName):",
                    "O código é válido por \(minutes) \(minutes == 1 ? "minuto" : "minutos")."
                )
            }
    }
}

/// A language that mails are written in.
enum MailLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case italian = "it"
    case dutch = "nl"
    case brazilianPortuguese = "pt-BR"

    /// The language that the client likes best of those we have; English when there is none.
    ///
    /// Source: RFC 9110 §12.5.4. Of equals the first wins.
    init(acceptLanguage: String?) {
        let ranges = (acceptLanguage ?? "").split(separator: ",").prefix(50).map { LanguageRange(String($0)) }
        let liked = ranges.enumerated().filter { $0.element.quality > 0 }
            .sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        self = liked.lazy.compactMap { Self.named($0.element.tag) }.first ?? .english
    }

    /// `de` and `de-AT` are German, `pt` is the one Portuguese we have, `*` is English.
    private static func named(_ tag: String) -> MailLanguage? {
        if tag == "*" { return .english }
        let primary = tag.prefix { $0 != "-" }.lowercased()
        return allCases.first { $0.rawValue.prefix { $0 != "-" } == primary }
    }
}

/// One entry of `Accept-Language`: `de-AT;q=0.8`.
private struct LanguageRange {
    let tag: String
    let quality: Double

    init(_ text: String) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        tag = parts.first.map { String($0) } ?? ""
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }
        quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
}
