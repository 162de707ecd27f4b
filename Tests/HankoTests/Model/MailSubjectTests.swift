import Essentials
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// The subjects of mails, for which tests wait. Source: `Tests/Vectors/hanko/mail-subjects.json`, from the vendor's repository.
struct MailSubjectTests {
    @Test(arguments: MailLanguage.allCases)
    func `subjects are those of the original`(language: MailLanguage) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/hanko/mail-subjects.json")
        let vectors = try JSON(parsing: [UInt8](Data(contentsOf: file)))
        let subjects = try #require(vectors[language.rawValue]?.object)
        #expect(subjects.count == 13)
        for (template, subject) in subjects {
            #expect(try MailTexts.texts(language).mails[template]?.subject == subject.string)
        }
    }
}
