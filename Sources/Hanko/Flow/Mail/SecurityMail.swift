import Essentials
import PlatformKit

extension FlowStep {
    /// Mails the user's primary address that something about the account changed, where the configuration wants that.
    ///
    /// - Parameter data: what the mail is about, by the names of the webhook `email.send`: `new_email_address`,
    ///   `old_email_address`, `deleted_email_address`.
    func notify(
        _ notification: SecurityNotification, _ account: Account, _ data: [String: String] = [:]
    ) throws {
        guard configuration.securityNotifications.mails(notification),
            let address = account.primaryEmail?.address
        else { return }
        let mail = SecurityMail(
            notification: notification, serviceName: configuration.service.name, address: address,
            data: data, language: caller.language)
        try announcer.send(mail.outgoing, in: turn)
        try audit(.securityNotificationSent, userID: account.id, address: address)
        note(
            "security notification sent", about: address,
            "The mail \(notification.rawValue) tells \(address) of the change.")
    }
}

/// A mail that tells a user of a change to the account. Source: Hanko 2.4 and later; the sentences are our own.
struct SecurityMail: Sendable {
    let notification: SecurityNotification
    let serviceName: String
    let address: String
    let data: [String: String]
    let language: MailLanguage

    var outgoing: OutgoingMail {
        let facts = data.merging(["template": notification.rawValue, "service_name": serviceName]) { $1 }
        return OutgoingMail(
            message: message, type: "security_notification", language: language,
            data: facts.mapValues(JSONValue.string))
    }

    var message: Message {
        let (subject, sentence) = SecurityTexts(serviceName: serviceName, data: data).pair(
            notification, language)
        return Message(
            kind: "", from: Message.Address("noreply@hanko.io", name: "Hanko"), to: Message.Address(address),
            subject: subject, text: sentence + "\n", source: Hanko.name)
    }
}

/// Subject and sentence of each notification in each language.
struct SecurityTexts: Sendable {
    let serviceName: String
    let data: [String: String]

    typealias Pair = (subject: String, sentence: String)

    func pair(_ notification: SecurityNotification, _ language: MailLanguage) -> Pair {
        switch language {
        case .english: english(notification)
        case .german: german(notification)
        case .french: french(notification)
        case .italian: italian(notification)
        case .dutch: dutch(notification)
        case .brazilianPortuguese: brazilianPortuguese(notification)
        }
    }

    private var new: String { data["new_email_address"] ?? "" }
    private var old: String { data["old_email_address"] ?? "" }
    private var deleted: String { data["deleted_email_address"] ?? "" }

    private func english(_ notification: SecurityNotification) -> Pair {
        let end = "If it was not you, secure your account at \(serviceName)."
        return switch notification {
        case .emailCreate:
            ("Email address added", "The email address \(new) was added to your account. \(end)")
        case .emailDelete:
            ("Email address removed", "The email address \(deleted) was removed from your account. \(end)")
        case .passwordUpdate: ("Password changed", "The password of your account was changed. \(end)")
        case .passkeyCreate: ("Passkey added", "A passkey was added to your account. \(end)")
        case .primaryEmailUpdate:
            (
                "Primary email address changed",
                "The primary email address of your account was changed from \(old) to \(new). \(end)"
            )
        case .mfaCreate: ("Second factor added", "A second factor was added to your account. \(end)")
        case .mfaDelete: ("Second factor removed", "A second factor was removed from your account. \(end)")
        }
    }

    private func german(_ notification: SecurityNotification) -> Pair {
        let end = "Falls du das nicht warst, sichere dein Konto bei \(serviceName)."
        return switch notification {
        case .emailCreate:
            ("E-Mail-Adresse hinzugefügt", "Die E-Mail-Adresse \(new) wurde deinem Konto hinzugefügt. \(end)")
        case .emailDelete:
            (
                "E-Mail-Adresse entfernt",
                "Die E-Mail-Adresse \(deleted) wurde aus deinem Konto entfernt. \(end)"
            )
        case .passwordUpdate: ("Passwort geändert", "Das Passwort deines Kontos wurde geändert. \(end)")
        case .passkeyCreate: ("Passkey hinzugefügt", "Deinem Konto wurde ein Passkey hinzugefügt. \(end)")
        case .primaryEmailUpdate:
            (
                "Primäre E-Mail-Adresse geändert",
                "Die primäre E-Mail-Adresse deines Kontos wurde von \(old) auf \(new) geändert. \(end)"
            )
        case .mfaCreate:
            ("Zweiter Faktor hinzugefügt", "Deinem Konto wurde ein zweiter Faktor hinzugefügt. \(end)")
        case .mfaDelete:
            ("Zweiter Faktor entfernt", "Ein zweiter Faktor wurde aus deinem Konto entfernt. \(end)")
        }
    }

    private func french(_ notification: SecurityNotification) -> Pair {
        let end = "Si ce n’était pas vous, sécurisez votre compte \(serviceName)."
        return switch notification {
        case .emailCreate:
            ("Adresse e-mail ajoutée", "L’adresse e-mail \(new) a été ajoutée à votre compte. \(end)")
        case .emailDelete:
            ("Adresse e-mail supprimée", "L’adresse e-mail \(deleted) a été retirée de votre compte. \(end)")
        case .passwordUpdate:
            ("Mot de passe modifié", "Le mot de passe de votre compte a été modifié. \(end)")
        case .passkeyCreate: ("Clé d’accès ajoutée", "Une clé d’accès a été ajoutée à votre compte. \(end)")
        case .primaryEmailUpdate:
            (
                "Adresse e-mail principale modifiée",
                "L’adresse e-mail principale de votre compte est passée de \(old) à \(new). \(end)"
            )
        case .mfaCreate: ("Second facteur ajouté", "Un second facteur a été ajouté à votre compte. \(end)")
        case .mfaDelete: ("Second facteur supprimé", "Un second facteur a été retiré de votre compte. \(end)")
        }
    }

    private func italian(_ notification: SecurityNotification) -> Pair {
        let end = "Se non sei stato tu, proteggi il tuo account su \(serviceName)."
        return switch notification {
        case .emailCreate:
            ("Indirizzo e-mail aggiunto", "L’indirizzo e-mail \(new) è stato aggiunto al tuo account. \(end)")
        case .emailDelete:
            (
                "Indirizzo e-mail rimosso",
                "L’indirizzo e-mail \(deleted) è stato rimosso dal tuo account. \(end)"
            )
        case .passwordUpdate:
            ("Password modificata", "La password del tuo account è stata modificata. \(end)")
        case .passkeyCreate: ("Passkey aggiunta", "Una passkey è stata aggiunta al tuo account. \(end)")
        case .primaryEmailUpdate:
            (
                "Indirizzo e-mail principale modificato",
                "L’indirizzo e-mail principale del tuo account è passato da \(old) a \(new). \(end)"
            )
        case .mfaCreate:
            ("Secondo fattore aggiunto", "Un secondo fattore è stato aggiunto al tuo account. \(end)")
        case .mfaDelete:
            ("Secondo fattore rimosso", "Un secondo fattore è stato rimosso dal tuo account. \(end)")
        }
    }

    private func dutch(_ notification: SecurityNotification) -> Pair {
        let end = "Was jij dat niet, beveilig dan je account bij \(serviceName)."
        return switch notification {
        case .emailCreate:
            ("E-mailadres toegevoegd", "Het e-mailadres \(new) is aan je account toegevoegd. \(end)")
        case .emailDelete:
            ("E-mailadres verwijderd", "Het e-mailadres \(deleted) is uit je account verwijderd. \(end)")
        case .passwordUpdate: ("Wachtwoord gewijzigd", "Het wachtwoord van je account is gewijzigd. \(end)")
        case .passkeyCreate: ("Passkey toegevoegd", "Er is een passkey aan je account toegevoegd. \(end)")
        case .primaryEmailUpdate:
            (
                "Primair e-mailadres gewijzigd",
                "Het primaire e-mailadres van je account is gewijzigd van \(old) in \(new). \(end)"
            )
        case .mfaCreate:
            ("Tweede factor toegevoegd", "Er is een tweede factor aan je account toegevoegd. \(end)")
        case .mfaDelete:
            ("Tweede factor verwijderd", "Er is een tweede factor uit je account verwijderd. \(end)")
        }
    }

    private func brazilianPortuguese(_ notification: SecurityNotification) -> Pair {
        let end = "Se não foi você, proteja sua conta em \(serviceName)."
        return switch notification {
        case .emailCreate: ("E-mail adicionado", "O e-mail \(new) foi adicionado à sua conta. \(end)")
        case .emailDelete: ("E-mail removido", "O e-mail \(deleted) foi removido da sua conta. \(end)")
        case .passwordUpdate: ("Senha alterada", "A senha da sua conta foi alterada. \(end)")
        case .passkeyCreate: ("Passkey adicionada", "Uma passkey foi adicionada à sua conta. \(end)")
        case .primaryEmailUpdate:
            (
                "E-mail principal alterado",
                "O e-mail principal da sua conta mudou de \(old) para \(new). \(end)"
            )
        case .mfaCreate: ("Segundo fator adicionado", "Um segundo fator foi adicionado à sua conta. \(end)")
        case .mfaDelete: ("Segundo fator removido", "Um segundo fator foi removido da sua conta. \(end)")
        }
    }
}
