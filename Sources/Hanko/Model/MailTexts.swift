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
