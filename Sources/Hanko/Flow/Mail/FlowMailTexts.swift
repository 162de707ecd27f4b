/// The sentences of a flow's mail in one language.
struct FlowMailTexts: Sendable, Equatable {
    let subject: String
    let introduction: String
    /// How long the code is good; nil for a mail without one.
    let validity: String?

    init(
        _ purpose: FlowPasscode.Purpose, _ language: MailLanguage, code: String, serviceName: String,
        minutes: Int
    ) {
        let sentences = FlowSentences(language, code: code, serviceName: serviceName)
        (subject, introduction) =
            switch purpose {
            case .login: sentences.login
            case .emailVerification: sentences.verification
            case .recovery: sentences.recovery
            case .emailLoginAttempted: sentences.loginAttempted
            case .emailRegistrationAttempted: sentences.registrationAttempted
            }
        validity =
            purpose.carriesCode
            ? MailTexts(language, code: code, serviceName: serviceName, minutes: minutes).validity : nil
    }
}

/// Subject and first sentence of each mail.
private struct FlowSentences {
    typealias Pair = (subject: String, introduction: String)

    let login: Pair
    let verification: Pair
    let recovery: Pair
    let loginAttempted: Pair
    let registrationAttempted: Pair

    init(_ language: MailLanguage, code: String, serviceName: String) {
        switch language {
        case .english: self.init(english: code, serviceName)
        case .german: self.init(german: code, serviceName)
        case .french: self.init(french: code, serviceName)
        case .italian: self.init(italian: code, serviceName)
        case .dutch: self.init(dutch: code, serviceName)
        case .brazilianPortuguese: self.init(brazilianPortuguese: code, serviceName)
        }
    }

    private init(english code: String, _ service: String) {
        login = (
            "Use passcode \(code) to login to your account", "Enter this passcode to sign in to \(service):"
        )
        verification = (
            "Use passcode \(code) to verify your email address",
            "Enter this passcode to confirm your email address for \(service):"
        )
        recovery = (
            "Use passcode \(code) to recover your account",
            "Enter this passcode to set a new password for \(service):"
        )
        loginAttempted = (
            "Provided email address is not recognized",
            "Somebody tried to sign in to \(service) with this email address, but there is no account for it. "
                + "If it was you, try another address or register."
        )
        registrationAttempted = (
            "Provided email address already taken",
            "Somebody tried to register at \(service) with this email address, but there is an account for it already. "
                + "If it was you, sign in instead."
        )
    }

    private init(german code: String, _ service: String) {
        login = (
            "Mit dem Passcode \(code) anmelden", "Gib diesen Passcode ein, um dich bei \(service) anzumelden:"
        )
        verification = (
            "Mit dem Passcode \(code) die E-Mail-Adresse bestätigen",
            "Gib diesen Passcode ein, um deine E-Mail-Adresse für \(service) zu bestätigen:"
        )
        recovery = (
            "Mit dem Passcode \(code) das Konto wiederherstellen",
            "Gib diesen Passcode ein, um ein neues Passwort für \(service) zu setzen:"
        )
        loginAttempted = (
            "Unbekannte E-Mail-Adresse",
            "Jemand wollte sich mit dieser E-Mail-Adresse bei \(service) anmelden, aber es gibt dafür kein Konto. "
                + "Falls du das warst, versuche eine andere Adresse oder registriere dich."
        )
        registrationAttempted = (
            "E-Mail-Adresse bereits vergeben",
            "Jemand wollte sich mit dieser E-Mail-Adresse bei \(service) registrieren, aber es gibt dafür schon ein Konto. "
                + "Falls du das warst, melde dich stattdessen an."
        )
    }

    private init(french code: String, _ service: String) {
        login = (
            "Utilisez le code \(code) pour vous connecter",
            "Saisissez ce code pour vous connecter à \(service) :"
        )
        verification = (
            "Utilisez le code \(code) pour confirmer votre adresse e-mail",
            "Saisissez ce code pour confirmer votre adresse e-mail pour \(service) :"
        )
        recovery = (
            "Utilisez le code \(code) pour récupérer votre compte",
            "Saisissez ce code pour choisir un nouveau mot de passe pour \(service) :"
        )
        loginAttempted = (
            "Adresse e-mail inconnue",
            "Quelqu’un a essayé de se connecter à \(service) avec cette adresse e-mail, mais aucun compte n’existe. "
                + "Si c’était vous, essayez une autre adresse ou inscrivez-vous."
        )
        registrationAttempted = (
            "Adresse e-mail déjà utilisée",
            "Quelqu’un a essayé de s’inscrire à \(service) avec cette adresse e-mail, mais un compte existe déjà. "
                + "Si c’était vous, connectez-vous plutôt."
        )
    }

    private init(italian code: String, _ service: String) {
        login = ("Usa il codice \(code) per accedere", "Inserisci questo codice per accedere a \(service):")
        verification = (
            "Usa il codice \(code) per confermare il tuo indirizzo e-mail",
            "Inserisci questo codice per confermare il tuo indirizzo e-mail per \(service):"
        )
        recovery = (
            "Usa il codice \(code) per recuperare il tuo account",
            "Inserisci questo codice per impostare una nuova password per \(service):"
        )
        loginAttempted = (
            "Indirizzo e-mail sconosciuto",
            "Qualcuno ha provato ad accedere a \(service) con questo indirizzo e-mail, ma non esiste un account. "
                + "Se sei stato tu, prova un altro indirizzo o registrati."
        )
        registrationAttempted = (
            "Indirizzo e-mail già in uso",
            "Qualcuno ha provato a registrarsi su \(service) con questo indirizzo e-mail, ma esiste già un account. "
                + "Se sei stato tu, accedi invece."
        )
    }

    private init(dutch code: String, _ service: String) {
        login = ("Gebruik code \(code) om in te loggen", "Voer deze code in om in te loggen bij \(service):")
        verification = (
            "Gebruik code \(code) om je e-mailadres te bevestigen",
            "Voer deze code in om je e-mailadres voor \(service) te bevestigen:"
        )
        recovery = (
            "Gebruik code \(code) om je account te herstellen",
            "Voer deze code in om een nieuw wachtwoord voor \(service) in te stellen:"
        )
        loginAttempted = (
            "E-mailadres niet herkend",
            "Iemand probeerde met dit e-mailadres in te loggen bij \(service), maar er is geen account voor. "
                + "Was jij dat, probeer dan een ander adres of registreer je."
        )
        registrationAttempted = (
            "E-mailadres al in gebruik",
            "Iemand probeerde zich met dit e-mailadres te registreren bij \(service), maar er is al een account voor. "
                + "Was jij dat, log dan in."
        )
    }

    private init(brazilianPortuguese code: String, _ service: String) {
        login = (
            "Use o código \(code) para entrar na sua conta", "Digite este código para entrar em \(service):"
        )
        verification = (
            "Use o código \(code) para confirmar seu e-mail",
            "Digite este código para confirmar seu e-mail em \(service):"
        )
        recovery = (
            "Use o código \(code) para recuperar sua conta",
            "Digite este código para definir uma nova senha em \(service):"
        )
        loginAttempted = (
            "E-mail não reconhecido",
            "Alguém tentou entrar em \(service) com este e-mail, mas não há uma conta para ele. "
                + "Se foi você, tente outro endereço ou cadastre-se."
        )
        registrationAttempted = (
            "E-mail já cadastrado",
            "Alguém tentou se cadastrar em \(service) com este e-mail, mas já existe uma conta para ele. "
                + "Se foi você, entre na conta."
        )
    }
}
