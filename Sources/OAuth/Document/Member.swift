package import Members
package import Wire

/// The record of a member of a document (oap-documents(5)).
package typealias Member = Members.Member

extension JSONObject {
    /// Whether a document or a profile says which server it is for, with or without a secret: then no variable says where
    /// its requests go. The job of a fork can set variables.
    package var namesServer: Bool { members.contains { !$0.value.isNull && Members.Member.namesServer($0.name) } }

    /// Whether a document or a profile has a secret, or says where it is.
    package func holds(_ secret: String) -> Bool {
        Members.Member.forms(of: secret).contains { self[$0]?.isNull == false }
    }
}
