# Makes a collection that openapi2postmanv2 has created run by itself: docs/clients.md
def ids:
  {
    "01m7y4dcyp2ad36zr4waqryvpr": "embedId",
    "4kZ9vQ2mT1aB": "tokenId",
    "wh_01m7y4de3wq8n1v5k2t7r9xcpb": "webhookId",
    "019aa43e5f5c8d1e4b7a9c2f6e3d0b81": "deliveryId"
  };

# the ids in paths become variables, and what deletes runs after what reads
walk(
  if type == "string" and ids[.] then "{{\(ids[.])}}"
  elif type == "object" and (.item | type) == "array" then .item |= sort_by(.request.method == "DELETE")
  else . end
)
# each response with an embed, token, webhook or delivery sets its variable
| .event = [{
    listen: "test",
    script: {
      exec: [
        "const body = pm.response.json();",
        "for (const name of ['embed', 'token', 'webhook', 'delivery']) {",
        "  if (body[name]) pm.collectionVariables.set(`${name}Id`, body[name].id);",
        "}"
      ]
    }
  }]
