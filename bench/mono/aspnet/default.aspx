<%@ Page Language="C#" %>
<%@ Import Namespace="System.Collections.Generic" %>
<script runat="server">
  void Page_Load(object o, EventArgs e)
  {
    var rows = new List<KeyValuePair<string,int>>();
    for (int i = 0; i < 50; i++) rows.Add(new KeyValuePair<string,int>("row " + i, i * i));
    list.DataSource = rows; list.DataBind();
    time.Text = rows.Count.ToString();
  }
</script>
<html><body><form runat="server">
<asp:Label id="time" runat="server" />
<asp:Repeater id="list" runat="server"><HeaderTemplate><table></HeaderTemplate>
<ItemTemplate><tr><td><%# Eval("Key") %></td><td><%# Eval("Value") %></td></tr></ItemTemplate>
<FooterTemplate></table></FooterTemplate></asp:Repeater>
</form></body></html>
